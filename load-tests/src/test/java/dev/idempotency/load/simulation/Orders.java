package dev.idempotency.load.simulation;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

import dev.idempotency.load.rig.Backend;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

/** What clients do in all simulations. */
final class Orders {

	/** The session's attribute that holds the key. */
	static final String KEY = "key";

	/** Name of the request in which the backend is asked what it has done. */
	static final String LEDGER = "ledger";

	private static final String HOST = "orders.test";

	private static final int CREATED = 201;

	private static final String TRIES = "tries";

	private static final String LAST_STATUS = "lastStatus";

	private Orders() {
	}

	static HttpProtocolBuilder protocol() {
		return http.acceptHeader("application/json").contentTypeHeader("application/json").shareConnections();
	}

	/** A key of its own for each user. */
	static ChainBuilder newKey() {
		return exec((session) -> session.set(KEY, UUID.randomUUID().toString()));
	}

	/** The same key for so many users in a row. */
	static ChainBuilder sharedKey(int users) {
		AtomicInteger arrived = new AtomicInteger();
		String run = UUID.randomUUID().toString();
		return exec((session) -> {
			int user = arrived.getAndIncrement();
			return session.set(KEY, run + "-" + user / users).set("user", user);
		});
	}

	/**
	 * One order under the session's key; an answer that it was made must be about this
	 * order and its first execution. The host is part of a key's identity, so gateways
	 * side by side are reached under one name, without their ports.
	 */
	static HttpRequestActionBuilder order(String name, String url) {
		return http(name).post(url)
			.header("Host", HOST)
			.header("Idempotency-Key", "#{" + KEY + "}")
			.body(StringBody("{\"order\":\"#{" + KEY + "}\",\"amount\":1299}"))
			.checkIf((response, session) -> response.status().code() == CREATED)
			.then(jsonPath("$.order").isEL("#{" + KEY + "}"), jsonPath("$.execution").ofInt().is(1));
	}

	/** The session's key with another body than its order's. */
	static HttpRequestActionBuilder reuse(String name, String url) {
		return http(name).post(url)
			.header("Host", HOST)
			.header("Idempotency-Key", "#{" + KEY + "}")
			.body(StringBody("{\"amount\":1}"))
			.check(status().is(422), jsonPath("$.code").is("key-reused"));
	}

	/** Marks of a stored answer. */
	static CheckBuilder replayed() {
		return header("Idempotent-Replayed").is("true");
	}

	/**
	 * What a well-behaved client does: sends the very same order again until it has an
	 * answer that is final, at the pace that {@code Retry-After} asks for.
	 * @param request an order
	 * @param retryable statuses that mean "again, please"
	 * @param tries how often at most; the last one fails if it is not final either
	 */
	static ChainBuilder untilDone(HttpRequestActionBuilder request, int tries, Integer... retryable) {
		List<Integer> expected = Stream.concat(Stream.of(CREATED), Stream.of(retryable)).toList();
		ChainBuilder again = exec(
				request.check(status().in((session) -> (session.getInt(TRIES) < tries) ? expected : List.of(CREATED))
					.saveAs(LAST_STATUS), header("Retry-After").withDefault("1").saveAs("retryAfter")))
			.exec(doIf((session) -> session.getInt(LAST_STATUS) != CREATED)
				.then(pause((session) -> Duration.ofSeconds(seconds(session)))));
		return exec((session) -> session.set(LAST_STATUS, 0).set(TRIES, 0))
			.asLongAs((session) -> session.getInt(LAST_STATUS) != CREATED && session.getInt(TRIES) < tries)
			.on(exec((session) -> session.set(TRIES, session.getInt(TRIES) + 1)).exec(again));
	}

	private static int seconds(Session session) {
		String value = session.getString("retryAfter");
		return (value == null) ? 1 : Math.min(5, Integer.parseInt(value));
	}

	/**
	 * Asks the backend how often it has acted. Runs after the load, as its only request.
	 * @param keys for how many keys it should have acted, each once
	 * @param refusals how many requests it should have refused at least
	 */
	static ChainBuilder ledger(Backend backend, int keys, int refusals) {
		return exec(http(LEDGER).get(backend.uri() + "/ledger")
			.check(status().is(200), jsonPath("$.repeatedKeys").ofInt().is(0), jsonPath("$.keys").ofInt().is(keys),
					jsonPath("$.executions").ofInt().is(keys), jsonPath("$.arrivals").ofInt().gte(keys + refusals)));
	}

}
