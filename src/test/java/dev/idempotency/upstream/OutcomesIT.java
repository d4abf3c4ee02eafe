package dev.idempotency.upstream;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of what an attempt can come to, row by row, each over a real socket. Two
 * attempts are allowed, so that a resend where none may be shows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutcomesIT {

	private static final String POLICY = "timeout: 1s, late-answer: 100ms, "
			+ "retry: { max-attempts: 2, backoff: 1ms, max-backoff: 1ms }";

	private final List<AutoCloseable> servers = new ArrayList<>();

	private final List<Row> rows = new ArrayList<>();

	private final ScriptedBackend backend = ScriptedBackend.start();

	private RunningGateway gateway;

	@BeforeAll
	void start() throws Exception {
		answers();
		brokenAnswers();
		brokenConnections();
		noConnections();
		tls();
		Routes routes = new Routes().with("spring.cloud.gateway.server.webflux.httpclient.connect-timeout: 300")
			.with("spring.cloud.gateway.server.webflux.httpclient.ssl.use-insecure-trust-manager: true");
		for (Row row : this.rows) {
			routes.route(row.id(), row.uri(), POLICY);
		}
		this.gateway = RunningGateway.start(routes.yaml());
	}

	@AfterAll
	void stop() throws Exception {
		this.gateway.close();
		this.backend.close();
		for (AutoCloseable server : this.servers) {
			server.close();
		}
	}

	private void answers() {
		for (int status : new int[] { 200, 201, 202, 204, 302, 304, 400, 404, 405, 409, 410, 413, 415, 422, 451 }) {
			scripted("status-" + status, Reply.of(status)).done(status);
		}
		for (int status : new int[] { 401, 403, 407, 408, 421, 425, 429 }) {
			scripted("status-" + status, Reply.of(status)).notApplied(status, null, 1);
		}
		scripted("status-503", Reply.of(503)).notApplied(503, null, 2);
		for (int status : new int[] { 500, 501, 502, 504, 505, 507, 511, 599 }) {
			scripted("status-" + status, Reply.of(status)).unknown(status, null);
		}
		scripted("length-missing", Reply.json(201, "{}").untilClose()).done(201);
		scripted("interim-103", Reply.json(201, "{}").interim(Reply.of(103))).done(201);
		scripted("chunked", Reply.json(201, "{\"a\":1}").chunked()).done(201);
	}

	private void brokenAnswers() {
		Reply answer = Reply.json(201, "{\"id\":12345}");
		scripted("body-cut-length", answer.cutAfter(5)).unknown(502, "upstream-failed");
		scripted("body-cut-chunked", answer.chunked().cutAfter(5)).unknown(502, "upstream-failed");
		scripted("body-reset", answer.resetAfter(5)).unknown(502, "upstream-failed");
		scripted("refusal-cut", Reply.of(503).body("later").cutAfter(2)).unknown(502, "upstream-failed");
		scripted("length-invalid", answer.contentLength("12abc").thenClose()).unknown(502, "upstream-failed");
		scripted("length-negative", answer.contentLength("-1").thenClose()).unknown(502, "upstream-failed");
		scripted("length-twice", answer.header("Content-Length", "3").thenClose()).unknown(502, "upstream-failed");
		scripted("header-oversized", answer.oversizedHeader(100_000)).unknown(502, "upstream-failed");
		raw("header-cut", RawBackend.saying("HTTP/1.1 201 Created\r\nContent-Ty")).unknown(502, "upstream-failed");
		raw("protocol-switched", RawBackend.saying("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"))
			.unknown(502, "upstream-failed");
		raw("not-http", RawBackend.saying("SSH-2.0-OpenSSH_9.6\r\n\r\n")).unknown(502, "upstream-failed");
		raw("chunk-invalid", RawBackend.saying("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))
			.unknown(502, "upstream-failed");
	}

	private void brokenConnections() {
		scripted("hang", Reply.hang()).unknown(504, "upstream-timeout");
		scripted("reset-after-request", Reply.reset()).unknown(502, "upstream-failed");
		scripted("reset-after-head", Reply.resetUnread()).unknown(502, "upstream-failed").arriving(0);
		scripted("closed-without-answer", Reply.closeWithoutAnswer()).unknown(502, "upstream-failed");
		raw("reset-at-once", RawBackend.doing(OutcomesIT::reset)).unknown(502, "upstream-failed");
	}

	private void noConnections() throws IOException {
		ScriptedBackend refusing = ScriptedBackend.start();
		this.servers.add(refusing);
		refusing.refuse();
		row("refused", refusing.uri(), () -> 0).notApplied(503, "upstream-unavailable", 2);
		row("no-such-host", "http://no-such-host.invalid", () -> 0).notApplied(503, "upstream-unavailable", 2);
		FullBacklog full = new FullBacklog();
		this.servers.add(full);
		row("connect-timeout", "http://127.0.0.1:" + full.port(), () -> 0).notApplied(503, "upstream-unavailable", 2);
		row("no-instance", "lb://nobody", () -> 0).notApplied(503, "upstream-unavailable", 2);
	}

	private void tls() throws Exception {
		SSLContext tls = Certificate.context();
		secure("tls-not-spoken",
				RawBackend.doing((socket) -> socket.getOutputStream().write("HTTP/1.1 400\r\n\r\n".getBytes())))
			.notApplied(503, "upstream-unavailable", 2);
		secure("tls-closed-in-handshake", RawBackend.doing((socket) -> socket.getInputStream().read())).notApplied(503,
				"upstream-unavailable", 2);
		secure("tls-1.2-certificate-required", RawBackend.overTls(tls, "TLSv1.2", true, OutcomesIT::answer201))
			.notApplied(503, "upstream-unavailable", 2);
		// The alert comes after the handshake, when the request is on its way already.
		secure("tls-1.3-certificate-required", RawBackend.overTls(tls, "TLSv1.3", true, OutcomesIT::answer201))
			.unknown(502, "upstream-failed");
		secure("tls", RawBackend.overTls(tls, "TLSv1.3", false, OutcomesIT::answer201)).done(201);
		secure("tls-closed-after-request",
				RawBackend.overTls(tls, "TLSv1.3", false, (socket) -> RawBackend.readRequest(socket.getInputStream())))
			.unknown(502, "upstream-failed");
	}

	private static void answer201(Socket socket) throws IOException {
		RawBackend.readRequest(socket.getInputStream());
		socket.getOutputStream().write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n".getBytes());
		socket.getInputStream().read();
	}

	private static void reset(Socket socket) throws IOException {
		socket.getInputStream().read();
		socket.setSoLinger(true, 0);
	}

	private Row scripted(String id, Reply reply) {
		this.backend.on("/" + id + "/x", reply);
		return row(id, this.backend.uri(), () -> this.backend.executions("/" + id + "/x"));
	}

	private Row raw(String id, RawBackend server) {
		this.servers.add(server);
		return row(id, "http://127.0.0.1:" + server.port(), server::connections);
	}

	private Row secure(String id, RawBackend server) {
		this.servers.add(server);
		return row(id, "https://127.0.0.1:" + server.port(), server::connections);
	}

	private Row row(String id, String uri, IntSupplier arrivals) {
		Row row = new Row(id, uri, arrivals);
		this.rows.add(row);
		return row;
	}

	Stream<Row> rows() {
		return this.rows.stream();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rows")
	void comesToWhatTheTableSays(Row row) {
		RawRequest request = RawRequest.post("/" + row.id() + "/x", "{\"amount\":1}").key(row.id());
		RawResponse first = this.gateway.send(request);
		assertThat(first.status()).as("%s", first).isEqualTo(row.status);
		assertThat(first.clean()).as("%s", first).isTrue();
		assertThat(first.header("Idempotent-Replayed")).isNull();
		if (row.code != null) {
			assertThat(first.text()).contains("\"code\":\"" + row.code + "\"");
		}
		RouteState state = new RouteState(this.gateway, row.id());
		state.awaitRest();
		assertThat(state.attempts()).as("attempts").isEqualTo(Map.of(row.result, row.attempts));
		int executed = row.arrivals.getAsInt();
		RawResponse second = this.gateway.send(request);
		row.after.check(first, second);
		if (!row.after.equals(After.FREE)) {
			assertThat(row.arrivals.getAsInt()).as("calls of the backend").isEqualTo(executed).isEqualTo(row.calls);
		}
		state.awaitRest();
	}

	/** What a retry shows of the record. */
	private enum After {

		REPLAY {
			@Override
			void check(RawResponse first, RawResponse second) {
				assertThat(second.header("Idempotent-Replayed")).as("%s", second).isEqualTo("true");
				assertThat(second.header("Idempotency-Outcome")).isNull();
				assertThat(second.status()).isEqualTo(first.status());
				assertThat(second.body()).isEqualTo(first.body());
			}
		},
		FREE {
			@Override
			void check(RawResponse first, RawResponse second) {
				assertThat(second.header("Idempotent-Replayed")).as("%s", second).isNull();
				assertThat(second.status()).isEqualTo(first.status());
			}
		},
		HELD {
			@Override
			void check(RawResponse first, RawResponse second) {
				if (second.status() == 409) {
					assertThat(second.text()).contains("\"code\":\"outcome-unknown\"");
				}
				else {
					assertThat(second.header("Idempotency-Outcome")).as("%s", second).isEqualTo("unknown");
					assertThat(second.status()).isEqualTo(first.status());
				}
			}
		};

		abstract void check(RawResponse first, RawResponse second);

	}

	/** One row of the table. */
	static final class Row {

		private final String id;

		private final String uri;

		private final IntSupplier arrivals;

		private int status;

		private String code;

		private String result;

		private int attempts = 1;

		private int calls = 1;

		private After after;

		Row(String id, String uri, IntSupplier arrivals) {
			this.id = id.replace('.', '-');
			this.uri = uri;
			this.arrivals = arrivals;
		}

		String id() {
			return this.id;
		}

		String uri() {
			return this.uri;
		}

		Row done(int expected) {
			return coming("done", expected, null, After.REPLAY);
		}

		Row notApplied(int expected, String problem, int tries) {
			this.attempts = tries;
			return coming((problem != null) ? "not_applied_unreachable" : "not_applied_status", expected, problem,
					After.FREE);
		}

		Row unknown(int expected, String problem) {
			String why = (problem == null) ? "status" : (expected == 504) ? "timeout" : "broken";
			return coming("unknown_" + why, expected, problem, After.HELD);
		}

		Row arriving(int times) {
			this.calls = times;
			return this;
		}

		private Row coming(String to, int expected, String problem, After then) {
			this.result = to;
			this.status = expected;
			this.code = problem;
			this.after = then;
			return this;
		}

		@Override
		public String toString() {
			return this.id;
		}

	}

}
