package dev.idempotency.observability;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.idempotency.core.Claim;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.IdempotencyStore.Ownership;
import dev.idempotency.core.Operations;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.RequestResult;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.gateway.ProtectedRoutes;
import dev.idempotency.gateway.RouteEvents;
import dev.idempotency.testing.ForwardingStore;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators may see of a record, and decide about it. */
@ExtendWith(OutputCaptureExtension.class)
class IdempotencyEndpointTests {

	private static final String DIGEST = Records.ID.digest();

	private final Records records = new Records();

	private final RouteObservers seen = new RouteObservers(new SimpleMeterRegistry(), Spans.NONE,
			InstantSource.fixed(Instant.EPOCH));

	private final IdempotencyEndpoint endpoint = new IdempotencyEndpoint(new ProtectedRoutes(Flux::empty),
			this.records.store, new Operations(), this.seen, InstantSource.fixed(Instant.EPOCH));

	@AfterEach
	void close() {
		this.records.close();
	}

	private Map<String, Object> seen() {
		WebEndpointResponse<Map<String, Object>> response = this.endpoint.record(DIGEST).block();
		assertThat(response.getStatus()).isEqualTo(200);
		return response.getBody();
	}

	private int act(String action) {
		return this.endpoint.act(DIGEST, action, SecurityContext.NONE).block().getStatus();
	}

	/** Puts a record of that state there. */
	private void given(String state) {
		switch (state) {
			case "running" -> this.records.running();
			case "lapsed" -> this.records.lapsed();
			case "done" -> this.records.settled(State.DONE, Records.ANSWER);
			case "unknown" -> this.records.settled(State.UNKNOWN, null);
			default -> assertThat(state).isEqualTo("none");
		}
	}

	@Test
	void a_running_claim_is_shown_with_the_time_since_its_last_sign_of_life() {
		this.records.running();
		this.records.pass(Duration.ofSeconds(5));
		assertThat(seen()).containsEntry("state", "running")
			.containsEntry("age", "PT5S")
			.containsEntry("leaseLeft", "PT10S")
			.containsEntry("attempts", 0);
	}

	@Test
	void a_lapsed_claim_is_shown_as_one() {
		this.records.lapsed();
		assertThat(seen()).containsEntry("state", "lapsed").containsEntry("age", "PT16S");
	}

	@Test
	void a_done_record_is_shown_with_its_age_and_status_and_never_its_content() {
		this.records.settled(State.DONE, Records.ANSWER);
		this.records.pass(Duration.ofSeconds(7));
		assertThat(seen()).containsEntry("state", "done")
			.containsEntry("age", "PT7S")
			.containsEntry("status", 201)
			.containsEntry("replayable", true)
			.containsEntry("attempts", 2);
		assertThat(seen().toString()).doesNotContain("secret").doesNotContain("alice").doesNotContain("key");
		assertThat((String) seen().get("fingerprint")).matches("[0-9a-f]{8}");
	}

	@Test
	void an_unknown_outcome_is_shown_with_its_age() {
		this.records.settled(State.UNKNOWN, null);
		this.records.pass(Duration.ofMinutes(1));
		assertThat(seen()).containsEntry("state", "unknown").containsEntry("age", "PT1M").doesNotContainKey("status");
	}

	@Test
	void a_record_that_cannot_be_read_is_shown_with_the_reason_and_can_only_be_forgotten() {
		IdempotencyStore damaged = new ForwardingStore(this.records.store) {
			@Override
			public Mono<Claim> find(RecordId id) {
				return super.find(id).map((claim) -> new Claim.Unreadable("it is damaged", claim.ownerIfAny()));
			}
		};
		IdempotencyEndpoint operator = new IdempotencyEndpoint(new ProtectedRoutes(Flux::empty), damaged,
				new Operations(), this.seen, InstantSource.fixed(Instant.EPOCH));
		given("done");
		assertThat(operator.record(DIGEST).block().getBody()).containsOnly(Map.entry("state", "unreadable"),
				Map.entry("reason", "it is damaged"));
		assertThat(operator.act(DIGEST, "resolve-applied", SecurityContext.NONE).block().getStatus()).isEqualTo(409);
		assertThat(operator.act(DIGEST, "resolve-not-applied", SecurityContext.NONE).block().getStatus())
			.isEqualTo(409);
		assertThat(this.records.found()).isNotNull();
		assertThat(operator.act(DIGEST, "forget", SecurityContext.NONE).block().getStatus()).isEqualTo(200);
		assertThat(this.records.found()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0000000000000000000000000000000000000000000000000000000000000000", "not-a-digest",
			"0000000000000000000000000000000000000000000000000000000000000000*", "" })
	void there_is_no_record_under_another_name(String name) {
		this.records.running();
		assertThat(this.endpoint.record(name).block().getStatus()).isEqualTo(404);
		assertThat(this.endpoint.act(name, "forget", SecurityContext.NONE).block().getStatus()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource({ "resolve-applied, none, 404", "resolve-applied, running, 409", "resolve-applied, done, 409",
			"resolve-applied, unknown, 200", "resolve-applied, lapsed, 200", "resolve-not-applied, none, 404",
			"resolve-not-applied, running, 409", "resolve-not-applied, done, 409", "resolve-not-applied, unknown, 200",
			"resolve-not-applied, lapsed, 200", "forget, none, 404", "forget, running, 409", "forget, done, 200",
			"forget, unknown, 200", "forget, lapsed, 200", "delete, none, 400", "delete, unknown, 400" })
	void an_action_depends_on_the_state(String action, String state, int status) {
		given(state);
		Claim before = this.records.found();
		assertThat(act(action)).isEqualTo(status);
		if (status != 200) {
			assertThat(this.records.found()).usingRecursiveComparison().isEqualTo(before);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown", "lapsed" })
	void resolved_as_applied_is_done_without_an_answer(String state) {
		given(state);
		act("resolve-applied");
		assertThat(this.records.found()).isInstanceOfSatisfying(Claim.Finished.class,
				(done) -> assertThat(done.record().response()).isEqualTo(StoredResponse.tombstone(0)));
	}

	@ParameterizedTest
	@CsvSource({ "resolve-not-applied, unknown", "resolve-not-applied, lapsed", "forget, unknown", "forget, lapsed",
			"forget, done" })
	void what_was_not_applied_or_is_forgotten_frees_the_key(String action, String state) {
		given(state);
		act(action);
		assertThat(this.records.found()).isNull();
	}

	@Test
	void an_owner_who_was_only_slow_cannot_undo_the_operators_word() {
		IdempotencyRecord claim = this.records.lapsed();
		act("resolve-not-applied");
		IdempotencyRecord next = Records.claim(Records.ID);
		this.records.store.claim(Records.ID, next).block();
		assertThat(this.records.store
			.settle(Records.ID, claim.settled(State.DONE, Records.RETENTION.ttl(), 1, Records.ANSWER))
			.block()).isEqualTo(Ownership.FENCED);
	}

	@Test
	void every_decision_is_audited(CapturedOutput output) {
		given("unknown");
		act("resolve-applied");
		act("resolve-applied");
		assertThat(output).contains("resolve-applied on " + DIGEST + " by somebody not signed in: done")
			.contains("resolve-applied on " + DIGEST + " by somebody not signed in: refused with 409");
	}

	@Test
	void the_audit_names_who_said_so(CapturedOutput output) {
		given("unknown");
		this.endpoint.act(DIGEST, "forget", new SignedIn("alice")).block();
		assertThat(output).contains("forget on " + DIGEST + " by alice: done");
	}

	/** An operator who has signed in. */
	private record SignedIn(String name) implements SecurityContext {

		@Override
		public Principal getPrincipal() {
			return this::name;
		}

		@Override
		public boolean isUserInRole(String role) {
			return true;
		}

	}

	@Test
	void the_summary_shows_which_keys_are_unknown_until_an_operator_resolves_them() {
		given("unknown");
		this.seen.apply("payments").ended(Records.ID, new Outcome.Unknown(1, Outcome.Reason.TIMEOUT, null, null, null));
		assertThat(this.endpoint.summary().block().get("unknown")).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly(new OpenDoubts.Doubt(DIGEST, "payments", "timeout", Instant.EPOCH));
		act("resolve-applied");
		assertThat(this.endpoint.summary().block()).containsEntry("unknown", List.of());
	}

	@Test
	void the_summary_counts_the_executions_that_were_saved() {
		RouteEvents payments = this.seen.apply("payments");
		payments.counted(RequestResult.EXECUTED);
		payments.counted(RequestResult.REPLAYED);
		payments.counted(RequestResult.IN_PROGRESS);
		payments.counted(RequestResult.UNKNOWN_HELD);
		payments.counted(RequestResult.REPLAY_UNAVAILABLE);
		payments.counted(RequestResult.KEY_REUSED);
		this.seen.apply("orders").counted(RequestResult.REPLAYED);
		assertThat(this.endpoint.summary().block()).containsEntry("executionsSaved", 5L)
			.containsEntry("since", "1970-01-01T00:00:00Z");
	}

	@Test
	void the_summary_says_what_is_in_force() {
		assertThat(this.endpoint.summary().block()).containsEntry("enabled", true)
			.containsEntry("store", "memory")
			.containsEntry("inFlight", 0)
			.containsEntry("routes", Map.of())
			.containsKey("identityRules");
	}

}
