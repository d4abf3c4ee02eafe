package dev.idempotency.store.memory;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.PackingStore;
import dev.idempotency.store.RecordCipher;
import dev.idempotency.store.RecordPacking;
import dev.idempotency.store.StoreContract;

/** A store whose answers are compressed and encrypted keeps the contract. */
class PackingStoreContractTests extends StoreContract {

	private static final MemoryIdempotencyStore MEMORY = new MemoryIdempotencyStore(32 << 20);

	private static final PackingStore STORE = new PackingStore(MEMORY,
			new RecordPacking(true, new RecordCipher("k", Map.of("k", new byte[RecordCipher.KEY_LENGTH]))));

	@AfterAll
	static void close() {
		MEMORY.close();
	}

	@Override
	protected IdempotencyStore store() {
		return STORE;
	}

	@Override
	protected void plant(RecordId id, byte[] octets, Duration life) {
		MEMORY.plant(id, octets, life);
	}

}
