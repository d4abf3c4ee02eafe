package dev.idempotency.observability;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.idempotency.core.Answer;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.Outcome.Reason;
import dev.idempotency.core.Problem;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.RequestResult;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.gateway.BypassReason;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What is counted and logged of one route. */
@ExtendWith(OutputCaptureExtension.class)
class RouteObserverTests {

	private static final RecordId ID = RecordId.of(List.of("alice", "key"));

	private static final StoredResponse ANSWER = StoredResponse.tombstone(201);

	private static final Outcome DONE = new Outcome.Done(1, ANSWER, ANSWER);

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final OpenDoubts doubts = new OpenDoubts(InstantSource.fixed(Instant.EPOCH));

	private final RouteObserver observer = new RouteObserver("payments", this.registry, Spans.NONE, this.doubts);

	private double requests(String result) {
		return this.registry.get("idempotency.requests").tags("route", "payments", "result", result).counter().count();
	}

	private double allRequests() {
		return this.registry.get("idempotency.requests")
			.counters()
			.stream()
			.mapToDouble((counter) -> counter.count())
			.sum();
	}

	private double count(String name) {
		return this.registry.get(name).tags("route", "payments").counter().count();
	}

	private static Outcome notApplied(Reason reason) {
		return new Outcome.NotApplied(0, reason, null, null);
	}

	@ParameterizedTest
	@EnumSource(RequestResult.class)
	void each_result_is_counted_under_its_name(RequestResult result) {
		this.observer.counted(result);
		assertThat(requests(result.tag())).isOne();
		assertThat(allRequests()).isOne();
	}

	@ParameterizedTest
	@EnumSource(value = RequestResult.class,
			names = { "EXECUTED", "REPLAYED", "IN_PROGRESS", "KEY_REUSED", "KEY_MISSING", "KEY_INVALID", "UNKNOWN_HELD",
					"RELEASED", "STORE_UNAVAILABLE", "BYPASSED", "REPLAY_UNAVAILABLE" })
	void all_results_are_there_from_the_start_so_that_rates_can_be_taken(RequestResult result) {
		assertThat(requests(result.tag())).isZero();
	}

	@Test
	void what_goes_unprotected_counts_as_degraded() {
		this.observer.counted(RequestResult.UNPROTECTED);
		assertThat(count("idempotency.degraded")).isOne();
	}

	@Test
	void done_and_unknown_count_as_executed() {
		this.observer.ended(ID, DONE);
		this.observer.ended(ID, new Outcome.Unknown(1, Reason.TIMEOUT, null, null, null));
		assertThat(requests("executed")).isEqualTo(2);
		assertThat(allRequests()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(value = Reason.class, names = { "STATUS", "UNREACHABLE", "CIRCUIT_OPEN", "ANSWERED_LOCALLY" })
	void not_applied_counts_as_released(Reason reason) {
		this.observer.ended(ID, notApplied(reason));
		assertThat(requests("released")).isOne();
	}

	@ParameterizedTest
	@EnumSource(value = Reason.class, names = { "TOO_BUSY", "SHUTTING_DOWN", "LEASE_UNCERTAIN" })
	void what_is_counted_by_its_answer_is_not_counted_twice(Reason reason) {
		this.observer.ended(ID, notApplied(reason));
		this.observer.ended(ID, new Outcome.Unknown(0, reason, null, null, null));
		assertThat(allRequests()).isZero();
	}

	@Test
	void an_earlier_doubt_about_which_nothing_was_done_counts_as_held() {
		this.observer.ended(ID, new Outcome.Unknown(0, Reason.CIRCUIT_OPEN, null, null, null));
		assertThat(requests("unknown_held")).isOne();
		assertThat(allRequests()).isOne();
	}

	@ParameterizedTest
	@MethodSource
	void attempts_are_counted_by_what_came_of_them(Outcome outcome, String result) {
		this.observer.attempted(outcome);
		assertThat(
				this.registry.get("idempotency.attempts").tags("route", "payments", "result", result).counter().count())
			.isOne();
	}

	static Stream<Object[]> attempts_are_counted_by_what_came_of_them() {
		return Stream.of(new Object[] { DONE, "done" },
				new Object[] { notApplied(Reason.UNREACHABLE), "not_applied_unreachable" },
				new Object[] { new Outcome.Unknown(1, Reason.TIMEOUT, null, null, null), "unknown_timeout" },
				new Object[] { new Outcome.Streaming(1, ANSWER, Flux.empty(), Mono.just(DONE)), "streaming" });
	}

	/** An alert on the increase of what was not there before stays silent. */
	@ParameterizedTest
	@MethodSource("outcomes_of_attempts")
	void all_that_attempts_may_come_to_is_there_from_the_start(Outcome outcome) {
		List<Meter.Id> before = series();
		this.observer.attempted(outcome);
		assertThat(series()).hasSameElementsAs(before);
	}

	static Stream<Outcome> outcomes_of_attempts() {
		return Stream.of(DONE, new Outcome.Streaming(1, ANSWER, Flux.empty(), Mono.just(DONE)),
				notApplied(Reason.STATUS), notApplied(Reason.UNREACHABLE), notApplied(Reason.ANSWERED_LOCALLY),
				unknown(Reason.STATUS), unknown(Reason.TIMEOUT), unknown(Reason.BROKEN),
				unknown(Reason.ANSWERED_LOCALLY));
	}

	private static Outcome unknown(Reason reason) {
		return new Outcome.Unknown(1, reason, null, null, null);
	}

	@Test
	void lapses_late_answers_and_failed_writes_are_counted() {
		this.observer.leaseLapsed(ID);
		this.observer.lateAnswer(ID, DONE);
		this.observer.settleFailed(ID);
		assertThat(count("idempotency.leases.lapsed")).isOne();
		assertThat(count("idempotency.late_answers")).isOne();
		assertThat(count("idempotency.settle.failures")).isOne();
	}

	@Test
	void what_is_not_as_it_should_be_is_logged_with_the_route_and_the_digest(CapturedOutput output) {
		this.observer.leaseLapsed(ID);
		this.observer.settleFailed(ID);
		this.observer.fenced(ID);
		this.observer.unreadable(ID, "it is damaged");
		this.observer.defect(ID, new IllegalStateException("broken"));
		this.observer.ended(ID, new Outcome.Unknown(1, Reason.TIMEOUT, null, null, null));
		assertThat(output.getAll().lines().filter((line) -> line.contains(ID.digest()) && line.contains("payments")))
			.hasSize(6);
		assertThat(output).contains("it is damaged").contains("broken");
	}

	@ParameterizedTest
	@EnumSource(BypassReason.class)
	void what_goes_through_unprotected_is_counted_by_its_reason(BypassReason reason) {
		this.observer.bypassed(reason);
		assertThat(this.registry.get("idempotency.bypassed")
			.tags("route", "payments", "result", reason.tag())
			.counter()
			.count()).isOne();
	}

	@Test
	void only_attempts_after_the_first_count_as_resends() {
		this.observer.attempted(new Outcome.NotApplied(1, Reason.STATUS, null, null));
		this.observer.attempted(new Outcome.NotApplied(2, Reason.STATUS, null, null));
		this.observer.attempted(new Outcome.Done(3, ANSWER, ANSWER));
		assertThat(count("idempotency.resends")).isEqualTo(2);
	}

	static Stream<Object[]> decisions_that_are_not_everyday_are_logged_once() {
		return Stream.of(new Object[] { refused(Problem.KEY_REUSED), "key-reused" },
				new Object[] { refused(Problem.OUTCOME_UNKNOWN), "outcome-unknown" },
				new Object[] { refused(Problem.REPLAY_UNAVAILABLE), "replay-unavailable" },
				new Object[] { refused(Problem.STORE_UNAVAILABLE), "store-unavailable" },
				new Object[] { refused(Problem.TOO_BUSY), "too-busy" },
				new Object[] { new Answer.Replay(ANSWER, true), "unknown outcome" },
				new Object[] { new Answer.Unprotected(), "unprotected" });
	}

	private static Answer refused(Problem problem) {
		return new Answer.Refused(problem, Answer.Effect.UNKNOWN, true, null);
	}

	@ParameterizedTest
	@MethodSource
	void decisions_that_are_not_everyday_are_logged_once(Answer answer, String word, CapturedOutput output) {
		this.observer.decided(ID, answer);
		assertThat(output.getAll().lines().filter((line) -> line.contains(ID.digest()))).singleElement()
			.asString()
			.contains("payments", word);
	}

	@Test
	void everyday_answers_are_not_logged(CapturedOutput output) {
		this.observer.decided(ID, new Answer.Fresh(ANSWER));
		this.observer.decided(ID, new Answer.Replay(ANSWER, false));
		this.observer.decided(ID, refused(Problem.IN_PROGRESS));
		assertThat(output.getAll()).doesNotContain(ID.digest());
	}

	@Test
	void unknown_outcomes_are_noted_until_they_are_known() {
		this.observer.ended(ID, new Outcome.Unknown(1, Reason.TIMEOUT, null, null, null));
		assertThat(this.doubts.latest())
			.containsExactly(new OpenDoubts.Doubt(ID.digest(), "payments", "timeout", Instant.EPOCH));
		this.observer.lateAnswer(ID, DONE);
		assertThat(this.doubts.latest()).isEmpty();
		this.observer.decided(ID, refused(Problem.OUTCOME_UNKNOWN));
		assertThat(this.doubts.latest()).extracting(OpenDoubts.Doubt::reason).containsExactly("held");
		this.observer.ended(ID, DONE);
		assertThat(this.doubts.latest()).isEmpty();
	}

	@Test
	void only_the_latest_unknown_outcomes_are_noted() {
		for (int i = 0; i < 1000; i++) {
			this.observer.decided(RecordId.of(List.of("key-" + i)), refused(Problem.OUTCOME_UNKNOWN));
		}
		assertThat(this.doubts.latest()).hasSize(100)
			.first()
			.extracting(OpenDoubts.Doubt::digest)
			.isEqualTo(RecordId.of(List.of("key-999")).digest());
	}

	@Test
	void a_hundred_thousand_keys_and_callers_add_no_series() {
		tell(ID);
		List<Meter.Id> before = series();
		for (int i = 0; i < 100_000; i++) {
			tell(RecordId.of(List.of("caller-" + i, "key-" + i)));
		}
		assertThat(series()).hasSameElementsAs(before);
		assertThat(before)
			.allSatisfy((id) -> assertThat(id.getTags()).extracting(Tag::getKey).isSubsetOf("route", "result"));
	}

	/** Logging is left out: only what is counted is under test. */
	private void tell(RecordId id) {
		this.observer.counted(RequestResult.REPLAYED);
		this.observer.ended(id, DONE);
		this.observer.ended(id, notApplied(Reason.UNREACHABLE));
		this.observer.attempted(DONE);
		this.observer.attempted(notApplied(Reason.STATUS));
	}

	private List<Meter.Id> series() {
		return this.registry.getMeters().stream().map(Meter::getId).toList();
	}

	@Test
	void prometheus_takes_two_routes_under_its_own_spelling() {
		PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		new RouteObserver("a", prometheus, Spans.NONE, this.doubts).counted(RequestResult.EXECUTED);
		new RouteObserver("b", prometheus, Spans.NONE, this.doubts).attempted(DONE);
		assertThat(prometheus.scrape()).contains("idempotency_requests_total{result=\"executed\",route=\"a\"} 1.0")
			.contains("idempotency_attempts_total{result=\"done\",route=\"b\"} 1.0")
			.contains("idempotency_leases_lapsed_total{route=\"b\"} 0.0")
			.contains("idempotency_settle_failures_total{route=\"a\"} 0.0");
	}

}
