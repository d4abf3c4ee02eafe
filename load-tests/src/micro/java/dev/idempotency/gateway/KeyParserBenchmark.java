package dev.idempotency.gateway;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.idempotency.core.IdempotencyPolicy.KeyFormat;
import dev.idempotency.core.IdempotencyPolicy.KeyRules;
import dev.idempotency.core.IdempotencyPolicy.KeySyntax;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.http.HttpHeaders;

/** Finding the key among the headers of a request. */
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyParserBenchmark {

	@Param({ "8e03978e-40d5-43e8-bc93-6894a57f9324", "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"" })
	private String key;

	private final IdempotencyKeyParser parser = new IdempotencyKeyParser(
			new KeyRules("Idempotency-Key", List.of(), Set.of("POST"), true, KeyFormat.ANY, 255, KeySyntax.LENIENT));

	private final HttpHeaders headers = new HttpHeaders();

	@Setup
	public void headers() {
		this.headers.add("Host", "gateway.test");
		this.headers.add("Authorization", "Bearer abc");
		this.headers.add("Content-Type", "application/json");
		this.headers.add("Idempotency-Key", this.key);
	}

	@Benchmark
	public Object parse() {
		return this.parser.parse(this.headers);
	}

}
