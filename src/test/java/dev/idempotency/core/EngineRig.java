package dev.idempotency.core;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.store.memory.MemoryIdempotencyStore;

import static org.assertj.core.api.Assertions.assertThat;

/** An engine over a real store, by a clock that moves when a test says so. */
final class EngineRig implements AutoCloseable {

	static final RecordId ID = RecordId.of(List.of("alice", "key"));

	static final Fingerprint BODY = fingerprint("body");

	static final StoredResponse CREATED = response(201, "made");

	static final Outcome DONE = new Outcome.Done(1, CREATED, CREATED);

	static final Outcome TIMEOUT = new Outcome.Unknown(1, Outcome.Reason.TIMEOUT, null, null, null);

	final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

	final MemoryIdempotencyStore memory = new MemoryIdempotencyStore(64 << 20, this::now);

	final TroubledStore store = new TroubledStore(this.memory);

	final LeaseKeeper leases = new LeaseKeeper(this.store, this.time, this::now);

	final Operations operations = new Operations();

	final RecordedEvents events = new RecordedEvents();

	final EngineServices services;

	private final IdempotencyEngine engine;

	EngineRig(IdempotencyPolicy policy) {
		this(policy, 1 << 20);
	}

	EngineRig(IdempotencyPolicy policy, long backlog) {
		this.services = new EngineServices(this.store, this.leases, this.operations,
				new Settlements(this.store, this.time, backlog), this.time, this::now);
		this.engine = new IdempotencyEngine(policy, this.services, this.events);
	}

	static Fingerprint fingerprint(String content) {
		byte[] digest = Digests.sha256().digest(content.getBytes(StandardCharsets.UTF_8));
		return new Fingerprint(1, digest, digest);
	}

	static StoredResponse response(int status, String body) {
		return new StoredResponse(status, List.of(new Header("X-Id", "1")), body.getBytes(StandardCharsets.UTF_8));
	}

	static Outcome.NotApplied notApplied(Outcome.Reason reason) {
		return new Outcome.NotApplied((reason == Outcome.Reason.STATUS) ? 1 : 0, reason, null, null);
	}

	long now() {
		return this.time.now(TimeUnit.NANOSECONDS);
	}

	void pass(Duration duration) {
		this.time.advanceTimeBy(duration);
	}

	Mono<Answer> handle(Fingerprint fingerprint, Duration patience, Upstream upstream) {
		return this.engine.handle(new KeyedRequest(ID, fingerprint, patience), upstream);
	}

	/** Sends a request that waits for nothing. */
	CompletableFuture<Answer> send(Upstream upstream) {
		return handle(BODY, Duration.ZERO, upstream).toFuture();
	}

	CompletableFuture<Answer> sendPatiently(Duration patience, Upstream upstream) {
		return handle(BODY, patience, upstream).toFuture();
	}

	/** Sends a request and takes the answer that has to be there at once. */
	Answer answer(Upstream upstream) {
		return now(send(upstream));
	}

	static Answer now(CompletableFuture<Answer> answer) {
		assertThat(answer).as("answer").isCompleted();
		return answer.join();
	}

	/** A claim of another gateway's. */
	IdempotencyRecord foreignClaim() {
		IdempotencyRecord claim = IdempotencyRecord.claim(ID, BODY, PolicySample.RETENTION);
		assertThat(this.memory.claim(ID, claim).block()).isInstanceOf(Claim.Won.class);
		return claim;
	}

	/** A record of another gateway's. */
	IdempotencyRecord foreign(State state, @Nullable StoredResponse response) {
		IdempotencyRecord settled = foreignClaim().settled(state,
				(state == State.DONE) ? PolicySample.TTL : PolicySample.UNKNOWN_TTL, 1, response);
		assertThat(this.memory.settle(ID, settled).block()).isEqualTo(IdempotencyStore.Ownership.OURS);
		return settled;
	}

	/** A claim of another gateway's that died. */
	IdempotencyRecord lapsed() {
		IdempotencyRecord claim = foreignClaim();
		pass(PolicySample.LEASE.plusSeconds(1));
		return claim;
	}

	@Nullable Claim found() {
		return this.memory.find(ID).block();
	}

	void assertFree() {
		assertThat(found()).isNull();
	}

	void assertDone(StoredResponse response) {
		assertThat(found()).isInstanceOfSatisfying(Claim.Finished.class,
				(finished) -> assertSame(finished.record().response(), response));
	}

	void assertUnknown() {
		assertThat(found()).isInstanceOfSatisfying(Claim.UnknownOutcome.class,
				(unknown) -> assertThat(unknown.record().state()).isEqualTo(State.UNKNOWN));
	}

	/** Nothing is kept alive, counted as running or waiting to be written. */
	void assertNothingLeft() {
		assertThat(this.leases.count()).as("leases").isZero();
		assertThat(this.operations.count()).as("operations").isZero();
		assertThat(this.services.settlements().backlog()).as("backlog").isZero();
		this.operations.stop();
		assertThat(this.operations.drained().toFuture()).as("drained").isCompleted();
	}

	static void assertSame(@Nullable StoredResponse response, StoredResponse expected) {
		assertThat(response).usingRecursiveComparison().isEqualTo(expected);
	}

	static void assertRefused(Answer answer, Problem problem, Answer.Effect effect, boolean retryable) {
		assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class, (refused) -> {
			assertThat(refused.problem()).isEqualTo(problem);
			assertThat(refused.effect()).isEqualTo(effect);
			assertThat(refused.retryable()).isEqualTo(retryable);
		});
	}

	@Override
	public void close() {
		this.services.close();
		this.memory.close();
		VirtualTimeScheduler.reset();
	}

}
