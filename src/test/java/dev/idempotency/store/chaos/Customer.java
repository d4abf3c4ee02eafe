package dev.idempotency.store.chaos;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.idempotency.testing.RawHttpClient;
import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RunningGateway;

/**
 * Wants one charge and asks either gateway, sometimes both at once, sometimes without
 * waiting for the answer, until there is nothing more to learn.
 */
final class Customer {

	private static final Set<Integer> AGAIN = Set.of(409, 502, 503, 504);

	private static final Pattern CODE = Pattern.compile("\"code\":\"([a-z-]+)\"");

	private static final int HASTY = 8;

	private static final int DOUBLE = 25;

	private static final int LONGEST_PAUSE = 250;

	private final List<RunningGateway> gateways;

	private final Charges charges;

	private final AtomicInteger requests;

	private final String key;

	private final RawRequest request;

	private final Random random;

	/** Codes of answers that were of no use. */
	private final Map<String, Integer> refusals = new TreeMap<>();

	Customer(List<RunningGateway> gateways, Charges charges, AtomicInteger requests, String key, long seed) {
		this.gateways = gateways;
		this.charges = charges;
		this.requests = requests;
		this.key = key;
		this.request = RawRequest.post("/charges", "{\"amount\":1299}").key(key);
		this.random = new Random(seed + key.hashCode());
	}

	/** How it ended, in a word. */
	String untilFinal(Duration patience) {
		long begun = System.nanoTime();
		while (System.nanoTime() - begun < patience.toNanos()) {
			int mood = this.random.nextInt(100);
			String end = (mood < HASTY) ? hangUp() : (mood < DOUBLE) ? askBoth() : ask(any());
			if (end != null) {
				return end;
			}
			LockSupport.parkNanos(Duration.ofMillis(10 + this.random.nextInt(LONGEST_PAUSE)).toNanos());
		}
		return "nothing but " + this.refusals;
	}

	/** What this gateway says in the end; an unknown outcome may still become known. */
	String settled(int gateway, Duration patience) {
		long begun = System.nanoTime();
		String end = null;
		while (System.nanoTime() - begun < patience.toNanos()) {
			end = ask(gateway);
			if (end != null && !end.equals("unknown")) {
				return end;
			}
			LockSupport.parkNanos(Duration.ofMillis(LONGEST_PAUSE).toNanos());
		}
		return (end != null) ? end : "nothing but " + this.refusals;
	}

	private @Nullable String askBoth() {
		this.requests.addAndGet(2);
		try (RawHttpClient one = this.gateways.get(0).connect(); RawHttpClient other = this.gateways.get(1).connect()) {
			one.send(this.request);
			other.send(this.request);
			String end = meaning(one.read());
			String otherEnd = meaning(other.read());
			return (end != null) ? end : otherEnd;
		}
		catch (UncheckedIOException ex) {
			this.refusals.merge("no answer", 1, Integer::sum);
			return null;
		}
	}

	private @Nullable String ask(int gateway) {
		this.requests.incrementAndGet();
		try {
			return meaning(this.gateways.get(gateway).send(this.request));
		}
		catch (UncheckedIOException ex) {
			this.refusals.merge("no answer", 1, Integer::sum);
			return null;
		}
	}

	private @Nullable String hangUp() {
		this.requests.incrementAndGet();
		try (RawHttpClient client = this.gateways.get(any()).connect()) {
			client.send(this.request).reset();
		}
		return null;
	}

	private int any() {
		return this.random.nextInt(this.gateways.size());
	}

	/** {@code null} if it is worth asking again. */
	private @Nullable String meaning(RawResponse answer) {
		String text = answer.text();
		if (answer.status() == 201) {
			return (answer.clean() && this.charges.isReceipt(this.key, text)) ? "answered" : "a lie: " + answer;
		}
		if (text.contains("\"code\":\"outcome-unknown\"")) {
			return "unknown";
		}
		if (text.contains("\"code\":\"replay-unavailable\"")) {
			return "unavailable";
		}
		Matcher code = CODE.matcher(text);
		this.refusals.merge(code.find() ? code.group(1) : Integer.toString(answer.status()), 1, Integer::sum);
		return AGAIN.contains(answer.status()) ? null : "an answer from nowhere: " + answer;
	}

}
