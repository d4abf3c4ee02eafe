package dev.idempotency.gateway;

import java.util.List;

import dev.idempotency.core.StoredResponse.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseHeaderPolicyTests {

	private final ResponseHeaderPolicy policy = new ResponseHeaderPolicy(
			List.of("Idempotency-Key", "Cko-Idempotency-Key"), ResponseHeaderPolicy.DROPPED_BY_DEFAULT);

	@Test
	void endToEndHeadersAreKeptLineByLine() {
		List<Header> answer = List.of(new Header("Location", "/a/1"), new Header("Link", "</1>; rel=a"),
				new Header("X-A", "1"), new Header("Link", "</2>; rel=b"), new Header("X-A", "1"),
				new Header("ETag", "\"v1\""), new Header("Cache-Control", "no-store"),
				new Header("Content-Encoding", "gzip"), new Header("Expires", "0"), new Header("Vary", "Origin"));
		assertThat(this.policy.recorded(answer)).isEqualTo(answer);
		assertThat(this.policy.fresh(answer)).isEqualTo(answer);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
			"Upgrade", "proxy-authenticate" })
	void hopByHopHeadersReachNobody(String name) {
		List<Header> answer = List.of(new Header(name, "x"));
		assertThat(this.policy.recorded(answer)).isEmpty();
		assertThat(this.policy.fresh(answer)).isEmpty();
	}

	@Test
	void whatConnectionNamesReachesNobody() {
		List<Header> answer = List.of(new Header("x-hop", "1"), new Header("Connection", "close, X-Hop"),
				new Header("connection", "X-Other,"), new Header("X-Other", "2"), new Header("X-Foo", "3"));
		assertThat(this.policy.recorded(answer)).containsExactly(new Header("X-Foo", "3"));
		assertThat(this.policy.fresh(answer)).containsExactly(new Header("X-Foo", "3"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Age", "Set-Cookie", "set-cookie", "WWW-Authenticate", "Authentication-Info",
			"Server-Timing", "Traceparent", "tracestate", "X-Request-ID", "RateLimit-Remaining", "RateLimit-Policy",
			"x-ratelimit-limit", "Retry-After", "Alt-Svc", "Proxy-Status", "Date", "Content-Length",
			"Access-Control-Allow-Origin" })
	void headersOfOneExchangeAreSentButNotKept(String name) {
		List<Header> answer = List.of(new Header(name, "x"));
		assertThat(this.policy.recorded(answer)).isEmpty();
		assertThat(this.policy.fresh(answer)).isEqualTo(answer);
	}

	@Test
	void theBackendsOwnEchoOfTheKeyIsReplaced() {
		List<Header> answer = List.of(new Header("idempotency-key", "x"), new Header("Cko-Idempotency-Key", "x"));
		assertThat(this.policy.recorded(answer)).isEmpty();
		assertThat(this.policy.fresh(answer)).isEmpty();
	}

	@Test
	void theBackendsOwnMarkerIsPassedOnOnceAndNotKept() {
		List<Header> answer = List.of(new Header("Idempotent-Replayed", "true"),
				new Header("idempotent-replayed", "true"));
		assertThat(this.policy.fresh(answer)).containsExactly(new Header("Idempotent-Replayed", "true"));
		assertThat(this.policy.recorded(answer)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Idempotency-Status", "Idempotency-Outcome" })
	void whatAnotherGatewaySaidOfTheFirstAnswerIsNotSaidOfAReplay(String name) {
		assertThat(this.policy.recorded(List.of(new Header(name, "x")))).isEmpty();
	}

	@Test
	void theListIsTheOperators() {
		ResponseHeaderPolicy own = new ResponseHeaderPolicy(List.of("Idempotency-Key"), List.of("X-Secret*"));
		List<Header> answer = List.of(new Header("X-Secret-1", "x"), new Header("Age", "1"));
		assertThat(own.recorded(answer)).containsExactly(new Header("Age", "1"));
	}

}
