package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import dev.idempotency.core.IdempotencyPolicy.FingerprintRules;
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

/** The fingerprint of a request by its bytes and by the meaning of its JSON. */
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FingerprintBenchmark {

	@Param({ "200", "10000", "500000" })
	private int size;

	private final FingerprintCalculator bytes = new FingerprintCalculator(
			new FingerprintRules(false, List.of(), List.of()));

	private final FingerprintCalculator json = new FingerprintCalculator(
			new FingerprintRules(true, List.of(), List.of()));

	private final HttpHeaders headers = new HttpHeaders();

	private byte[] body = new byte[0];

	/** An order with as many lines as there is room for. */
	@Setup
	public void body() {
		StringBuilder text = new StringBuilder("{\"currency\":\"EUR\",\"lines\":[{\"sku\":\"first\"}");
		for (int i = 0; text.length() < this.size - 70; i++) {
			text.append(String.format(Locale.ROOT, ",{\"sku\":\"part-%06d\",\"amount\":%d.50,\"gift\":false}", i, i));
		}
		this.body = text.append("]}").toString().getBytes(StandardCharsets.UTF_8);
	}

	@Benchmark
	public Object bytes() {
		return this.bytes.calculate("a=1", this.body, this.headers);
	}

	@Benchmark
	public Object json() {
		return this.json.calculate("a=1", this.body, this.headers);
	}

}
