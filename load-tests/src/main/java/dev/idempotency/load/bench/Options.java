package dev.idempotency.load.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.idempotency.load.rig.Store;

/**
 * What is to be measured, as the command line says it.
 *
 * @param stores one gateway for each
 * @param sizes of requests and answers
 * @param rounds how often each case is measured; its median counts
 * @param window how long one case is measured in one round
 * @param warmUp how long a gateway may take to become steady, at most
 * @param connections how many requests are under way at once
 * @param jvm more arguments for each gateway's Java runtime
 * @param cases the names of the cases, all if empty
 * @param against the jar of another build, empty if there is none to compare with
 * @param requests how many the memory of a gateway is watched for
 */
record Options(List<Store> stores, List<Size> sizes, int rounds, Duration window, Duration warmUp, int connections,
		List<String> jvm, Set<String> cases, String against, long requests) {

	private static final Map<String, String> DEFAULTS = Map.of("store", "redis", "size", "200", "rounds", "5",
			"seconds", "2", "warm-up", "90", "connections", "32", "jvm", "", "cases", "", "against", "", "requests",
			"100000");

	/** Everything the table of the README shows; takes a quarter of an hour. */
	private static final Map<String, String> ALL = Map.of("store", "memory,redis,postgres,tiered", "size",
			"100,10k,500k,200:500k");

	/** Only to see that it works; the figures mean nothing. */
	private static final Map<String, String> QUICK = Map.of("rounds", "1", "seconds", "1", "warm-up", "3");

	private static final String OTHER_BUILD = "other build: ";

	static Options of(String... arguments) {
		Map<String, String> words = new LinkedHashMap<>(DEFAULTS);
		for (String argument : arguments) {
			if (argument.equals("--all")) {
				words.putAll(ALL);
			}
			else if (argument.equals("--quick")) {
				words.putAll(QUICK);
			}
			else {
				put(words, argument);
			}
		}
		return new Options(list(words, "store").stream().map(Store::named).toList(),
				list(words, "size").stream().map(Size::of).toList(), Integer.parseInt(words.get("rounds")),
				seconds(words, "seconds"), seconds(words, "warm-up"), Integer.parseInt(words.get("connections")),
				Arrays.stream(words.get("jvm").split(" ")).filter((word) -> !word.isEmpty()).toList(),
				Set.copyOf(list(words, "cases")), words.get("against"), Long.parseLong(words.get("requests")));
	}

	private static void put(Map<String, String> words, String argument) {
		String[] pair = argument.replaceFirst("^--", "").split("=", 2);
		if (pair.length != 2 || !DEFAULTS.containsKey(pair[0])) {
			throw new IllegalArgumentException(
					argument + ": expected --all, --quick or --NAME=VALUE with one of " + DEFAULTS.keySet());
		}
		words.put(pair[0], pair[1]);
	}

	private static List<String> list(Map<String, String> words, String name) {
		return Arrays.stream(words.getOrDefault(name, "").split(","))
			.map(String::trim)
			.filter((word) -> !word.isEmpty())
			.toList();
	}

	private static Duration seconds(Map<String, String> words, String name) {
		return Duration.ofMillis(Math.round(1000 * Double.parseDouble(words.getOrDefault(name, "0"))));
	}

	boolean wants(String name) {
		return this.cases.isEmpty() || this.cases.contains(name.replace(OTHER_BUILD, ""));
	}

}
