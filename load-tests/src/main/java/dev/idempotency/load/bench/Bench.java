package dev.idempotency.load.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

import dev.idempotency.load.rig.GatewayJar;
import dev.idempotency.load.rig.Store;

/** What {@code load-tests/bench} runs. */
public final class Bench {

	private static final Path OUTPUT = Path.of("target", "bench");

	private Bench() {
	}

	public static void main(String[] arguments) throws IOException {
		try {
			System.exit(run(arguments));
		}
		catch (IllegalStateException | IllegalArgumentException | CompletionException | UncheckedIOException ex) {
			System.err.println("The run has failed: " + ex.getMessage());
			System.exit(1);
		}
	}

	private static int run(String[] arguments) throws IOException {
		Extracted extracted = Extracted.of(GatewayJar.find(), OUTPUT.resolve("gateway").toAbsolutePath());
		if (arguments.length > 0 && arguments[0].equals("micro")) {
			return Micro.run(extracted, Arrays.copyOfRange(arguments, 1, arguments.length));
		}
		if (arguments.length > 0 && arguments[0].equals("memory")) {
			Options options = Options.of(Arrays.copyOfRange(arguments, 1, arguments.length));
			options.stores().forEach(new MemoryWatch(options, extracted)::run);
			return 0;
		}
		Options options = Options.of(arguments);
		List<Result> results = new ArrayList<>();
		for (Store store : options.stores()) {
			for (Result result : new Experiment(options, extracted).run(store)) {
				System.out.print(TextReport.of(result));
				results.add(result);
			}
		}
		Files.writeString(OUTPUT.resolve("result.json"), JsonReport.of(options, results));
		Files.writeString(OUTPUT.resolve("chart.svg"), Chart.of(results));
		System.out.println("\nWritten: " + OUTPUT.resolve("result.json") + ", " + OUTPUT.resolve("chart.svg"));
		return 0;
	}

}
