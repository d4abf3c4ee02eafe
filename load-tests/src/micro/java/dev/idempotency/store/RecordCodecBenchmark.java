package dev.idempotency.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.idempotency.core.Fingerprint;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.OwnerToken;
import dev.idempotency.core.RecordId;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** Writing and reading a record that holds an answer. */
@org.openjdk.jmh.annotations.State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordCodecBenchmark {

	@Param({ "200", "10000", "500000" })
	private int size;

	private final RecordId id = RecordId.of(List.of("default", "principal", "alice", "POST", "gateway.test", "/orders", "key-1"));

	private IdempotencyRecord record;

	private byte[] encoded;

	@Setup
	public void record() {
		StoredResponse answer = new StoredResponse(201, List.of(new Header("content-type", "application/json"),
				new Header("location", "/orders/4711"), new Header("x-served-by", "backend")), new byte[this.size]);
		Fingerprint fingerprint = new Fingerprint(7, new byte[Fingerprint.LENGTH], new byte[Fingerprint.LENGTH]);
		this.record = new IdempotencyRecord(State.DONE, OwnerToken.random(), Duration.ofHours(24),
				Duration.ofSeconds(15), this.id.check(), fingerprint, false, 1, answer);
		this.encoded = RecordCodec.encode(this.record);
	}

	@Benchmark
	public byte[] encode() {
		return RecordCodec.encode(this.record);
	}

	@Benchmark
	public Object decode() {
		return RecordCodec.decode(this.encoded, this.id);
	}

}
