package dev.idempotency.store.memory;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.StoreContract;

/** The memory store keeps the contract. */
class MemoryStoreContractTests extends StoreContract {

	private static final MemoryIdempotencyStore STORE = new MemoryIdempotencyStore(32 << 20);

	@AfterAll
	static void close() {
		STORE.close();
	}

	@Override
	protected IdempotencyStore store() {
		return STORE;
	}

	@Override
	protected void plant(RecordId id, byte[] octets, Duration life) {
		STORE.plant(id, octets, life);
	}

}
