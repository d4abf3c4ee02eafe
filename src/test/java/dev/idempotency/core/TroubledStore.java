package dev.idempotency.core;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import reactor.core.publisher.Mono;

/** A store in front of a real one, of whose steps some go wrong as a test says. */
final class TroubledStore implements IdempotencyStore {

	enum Step {

		CLAIM, TAKE_OVER, RENEW, SETTLE, RELEASE, FIND, FORGET, ENTER, LEAVE

	}

	private final IdempotencyStore store;

	private final Map<Step, UnaryOperator<Mono<Object>>> troubles = new EnumMap<>(Step.class);

	private final Map<Step, RuntimeException> thrown = new EnumMap<>(Step.class);

	private final Map<Step, Integer> counts = new EnumMap<>(Step.class);

	TroubledStore(IdempotencyStore store) {
		this.store = store;
	}

	/** The step does not reach the store. */
	void fail(Step step, Throwable error) {
		trouble(step, (real) -> Mono.error(error));
	}

	void unavailable(Step step) {
		fail(step, new StoreUnavailableException("away", null));
	}

	/** The step is carried out, but its reply is lost. */
	void loseReply(Step step) {
		trouble(step, (real) -> real.then(Mono.error(new StoreUnavailableException("lost", null))));
	}

	/** The step is not even begun properly. */
	void throwAt(Step step, RuntimeException error) {
		this.thrown.put(step, error);
	}

	void trouble(Step step, UnaryOperator<Mono<Object>> trouble) {
		this.troubles.put(step, trouble);
	}

	void heal(Step step) {
		this.troubles.remove(step);
		this.thrown.remove(step);
	}

	int count(Step step) {
		return this.counts.getOrDefault(step, 0);
	}

	@SuppressWarnings("unchecked")
	private <T> Mono<T> step(Step step, Mono<T> real) {
		this.counts.merge(step, 1, Integer::sum);
		RuntimeException error = this.thrown.get(step);
		if (error != null) {
			throw error;
		}
		UnaryOperator<Mono<Object>> trouble = this.troubles.get(step);
		return (trouble != null) ? (Mono<T>) trouble.apply((Mono<Object>) real) : real;
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public StoreStatus status() {
		return this.store.status();
	}

	@Override
	public Mono<Claim> claim(RecordId id, IdempotencyRecord claim) {
		return step(Step.CLAIM, this.store.claim(id, claim));
	}

	@Override
	public Mono<Claim> takeOver(RecordId id, Claim.Open seen, IdempotencyRecord claim) {
		return step(Step.TAKE_OVER, this.store.takeOver(id, seen, claim));
	}

	@Override
	public Mono<Ownership> renew(RecordId id, IdempotencyRecord claim) {
		return step(Step.RENEW, this.store.renew(id, claim));
	}

	@Override
	public Mono<Ownership> settle(RecordId id, IdempotencyRecord settled) {
		return step(Step.SETTLE, this.store.settle(id, settled));
	}

	@Override
	public Mono<Ownership> release(RecordId id, OwnerToken owner) {
		return step(Step.RELEASE, this.store.release(id, owner));
	}

	@Override
	public Mono<Claim> find(RecordId id) {
		return step(Step.FIND, this.store.find(id));
	}

	@Override
	public Mono<Ownership> forget(RecordId id, OwnerToken seen) {
		return step(Step.FORGET, this.store.forget(id, seen));
	}

	@Override
	public Mono<Boolean> enter(RecordId id, OwnerToken visitor, Duration atMost) {
		return step(Step.ENTER, this.store.enter(id, visitor, atMost));
	}

	@Override
	public Mono<Void> leave(RecordId id, OwnerToken visitor) {
		return step(Step.LEAVE, this.store.leave(id, visitor));
	}

}
