package dev.idempotency.gateway;

import java.net.URI;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class RequestTargetTests {

	@ParameterizedTest
	@CsvSource({ "http://Api.Example/a, api.example", "http://api.example:80/a, api.example",
			"https://api.example:443/a, api.example", "http://api.example:443/a, api.example:443",
			"https://api.example:80/a, api.example:80", "http://api.example:8080/a, api.example:8080",
			"http://api.example:/a, api.example", "http://[::1]:80/a, [::1]", "http://[2001:DB8::80]/a, [2001:db8::80]",
			"http://user@api.example/a, api.example", "http://my_service:80/a, my_service" })
	void theHostIsLowerCaseWithoutThePortItsSchemeImplies(String uri, String host) {
		assertThat(RequestTarget.of(exchange(uri)).host()).isEqualTo(host);
	}

	@Test
	void pathAndQueryAreTakenAsSent() {
		RequestTarget target = RequestTarget.of(exchange("http://a.example/x%7Ey;v=1/?q=%61&q=+"));
		assertThat(target.path()).isEqualTo("/x%7Ey;v=1/");
		assertThat(target.query()).isEqualTo("q=%61&q=+");
	}

	@ParameterizedTest
	@CsvSource({ "http://a.example", "http://a.example/", "http://a.example/?", "http://a.example?" })
	void anEmptyPathIsTheRootAndAnEmptyQueryIsNone(String uri) {
		assertThat(RequestTarget.of(exchange(uri))).isEqualTo(new RequestTarget("a.example", "/", ""));
	}

	@Test
	void theFirstUriCountsWhateverFiltersMadeOfIt() {
		MockServerWebExchange exchange = exchange("http://a.example/c");
		ServerWebExchangeUtils.addOriginalRequestUrl(exchange, URI.create("http://a.example/api/v1/c?q=1"));
		ServerWebExchangeUtils.addOriginalRequestUrl(exchange, URI.create("http://a.example/v1/c"));
		assertThat(RequestTarget.of(exchange)).isEqualTo(new RequestTarget("a.example", "/api/v1/c", "q=1"));
	}

	@Test
	void aForwardedHostThatTheServerDoesNotTrustDoesNotCount() {
		MockServerHttpRequest request = MockServerHttpRequest.post("http://a.example/c")
			.header("X-Forwarded-Host", "b.example")
			.header("Forwarded", "host=c.example")
			.build();
		assertThat(RequestTarget.of(MockServerWebExchange.from(request)).host()).isEqualTo("a.example");
	}

	private static MockServerWebExchange exchange(String uri) {
		return MockServerWebExchange.from(MockServerHttpRequest.method(HttpMethod.POST, URI.create(uri)));
	}

}
