package dev.idempotency.store.memory;

import java.time.InstantSource;

import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.JobQueue;
import dev.idempotency.store.JobQueueContract;

class MemoryJobQueueTests extends JobQueueContract {

	private final MemoryIdempotencyStore store = new MemoryIdempotencyStore(1 << 20);

	private final MemoryJobQueue queue = new MemoryJobQueue(this.store, System::nanoTime);

	private final MemoryDeadLetters letters = new MemoryDeadLetters(InstantSource.system());

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected JobQueue queue() {
		return this.queue;
	}

	@Override
	protected DeadLetters letters() {
		return this.letters;
	}

}
