package dev.idempotency.gateway;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.idempotency.core.Caller;
import dev.idempotency.core.IdempotencyPolicy.CallerSource;
import dev.idempotency.core.IdempotencyPolicy.CallerSource.Kind;
import dev.idempotency.core.IdempotencyPolicy.Scope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class CallerResolverTests {

	private static final CallerSource PRINCIPAL = new CallerSource(Kind.PRINCIPAL, "");

	private static final CallerSource AUTHORIZATION = new CallerSource(Kind.AUTHORIZATION, "");

	private static final CallerSource TENANT = new CallerSource(Kind.HEADER, "X-Tenant");

	private static final CallerSource SESSION = new CallerSource(Kind.COOKIE, "SID");

	private static final CallerSource CLIENT_IP = new CallerSource(Kind.CLIENT_IP, "");

	@Test
	void anAuthorizationIsKnownByItsDigestOnly() {
		Caller caller = identified(post().header("Authorization", "Bearer giraffe"), AUTHORIZATION);
		assertThat(caller.source()).isEqualTo("authorization");
		assertThat(caller.identity()).matches("[0-9a-f]{64}");
		assertThat(caller).isEqualTo(identified(post().header("authorization", "Bearer giraffe"), AUTHORIZATION))
			.isNotEqualTo(identified(post().header("Authorization", "Bearer zebra"), AUTHORIZATION));
	}

	@Test
	void twoAuthorizationsAreRefusedWithoutFallingThrough() {
		CallerResolution found = resolve(post().header("Authorization", "a", "a").header("X-Tenant", "t"), false,
				AUTHORIZATION, TENANT);
		assertThat(found).isInstanceOfSatisfying(CallerResolution.Unidentified.class,
				(refused) -> assertThat(refused.detail()).contains("authorization"));
	}

	@Test
	void aHeaderThatComesTwiceIsRefusedEvenWhereAnonymousCallersShare() {
		assertThat(resolve(post().header("X-Tenant", "a").header("x-tenant", "a"), true, TENANT))
			.isInstanceOf(CallerResolution.Unidentified.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t" })
	void anEmptyHeaderGivesNoIdentity(String value) {
		Caller caller = identified(post().header("X-Tenant", value).header("Authorization", "a"), TENANT,
				AUTHORIZATION);
		assertThat(caller.source()).isEqualTo("authorization");
	}

	@Test
	void theFirstSourceThatGivesAnIdentityDecides() {
		MockServerHttpRequest.BodyBuilder request = post().header("X-Tenant", "t").header("Authorization", "a");
		assertThat(identified(request, TENANT, AUTHORIZATION)).isEqualTo(new Caller("header:x-tenant", "t"));
	}

	@Test
	void aLaterSourceThatContradictsItselfDoesNotMatter() {
		MockServerHttpRequest.BodyBuilder request = post().header("X-Tenant", "t").header("Authorization", "a", "b");
		assertThat(identified(request, TENANT, AUTHORIZATION).identity()).isEqualTo("t");
	}

	@Test
	void theSpellingOfAHeadersNameDoesNotMatter() {
		CallerSource other = new CallerSource(Kind.HEADER, "x-TENANT");
		assertThat(identified(post().header("X-Tenant", "t"), other))
			.isEqualTo(identified(post().header("X-Tenant", "t"), TENANT));
	}

	@ParameterizedTest
	@CsvSource({ "SID=a, a", "x=1; SID=a; y=2, a", "SID=\"a\", a", "sid=b;SID=a, a", "SID=a=b, a=b" })
	void aCookieIdentifies(String header, String identity) {
		assertThat(identified(post().header("Cookie", header), SESSION)).isEqualTo(new Caller("cookie:SID", identity));
	}

	@Test
	void aCookieThatComesTwiceIsRefused() {
		assertThat(resolve(post().header("Cookie", "SID=a; SID=a"), true, SESSION))
			.isInstanceOf(CallerResolution.Unidentified.class);
		assertThat(resolve(post().header("Cookie", "SID=a", "SID=b"), true, SESSION))
			.isInstanceOf(CallerResolution.Unidentified.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "SID=", "SID", "sid=a", "SID=\"\"", ";" })
	void aMissingOrEmptyCookieGivesNoIdentity(String header) {
		assertThat(identified(post().header("Cookie", header).header("X-Tenant", "t"), SESSION, TENANT).source())
			.isEqualTo("header:x-tenant");
	}

	@Test
	void anAddressIdentifiesWithoutPortAndScope() throws UnknownHostException {
		byte[] local = InetAddress.getByName("fe80::1").getAddress();
		InetAddress scoped = Inet6Address.getByAddress(null, local, 3);
		assertThat(identified(post().remoteAddress(new InetSocketAddress(scoped, 5000)), CLIENT_IP).identity())
			.isEqualTo("fe80:0:0:0:0:0:0:1");
		assertThat(identified(post().remoteAddress(new InetSocketAddress("192.0.2.7", 1)), CLIENT_IP))
			.isEqualTo(identified(post().remoteAddress(new InetSocketAddress("192.0.2.7", 2)), CLIENT_IP));
	}

	@Test
	void aForwardedAddressIsReadWithoutAskingForNames() {
		InetSocketAddress forwarded = InetSocketAddress.createUnresolved("2001:db8::1", 80);
		assertThat(identified(post().remoteAddress(forwarded), CLIENT_IP).identity()).isEqualTo("2001:db8:0:0:0:0:0:1");
		InetSocketAddress name = InetSocketAddress.createUnresolved("unknown", 80);
		assertThat(resolve(post().remoteAddress(name), false, CLIENT_IP))
			.isInstanceOf(CallerResolution.Unidentified.class);
	}

	@Test
	void aRequestWithoutAddressHasNone() {
		assertThat(resolve(post(), false, CLIENT_IP)).isInstanceOf(CallerResolution.Unidentified.class);
	}

	@Test
	void aPrincipalGoesBeforeWhatComesAfterIt() {
		Caller caller = identified(withPrincipal(post().header("Authorization", "a"), () -> "alice"), PRINCIPAL,
				AUTHORIZATION);
		assertThat(caller.source()).isEqualTo("principal");
		assertThat(caller.identity()).endsWith(":alice");
	}

	@Test
	void withoutPrincipalTheNextSourceIsAsked() {
		assertThat(identified(post().header("Authorization", "a"), PRINCIPAL, AUTHORIZATION).source())
			.isEqualTo("authorization");
	}

	@Test
	void callersWithoutIdentityShareOnlyIfThePolicySaysSo() {
		assertThat(resolve(post(), true, PRINCIPAL, AUTHORIZATION))
			.isEqualTo(new CallerResolution.Identified(Caller.ANONYMOUS));
		assertThat(resolve(post(), false, PRINCIPAL, TENANT)).isInstanceOfSatisfying(
				CallerResolution.Unidentified.class,
				(refused) -> assertThat(refused.detail()).contains("principal").contains("header:X-Tenant"));
	}

	@Test
	void noRequestCanClaimToBeTheAnonymousBucket() {
		List<Caller> callers = new ArrayList<>();
		callers.add(identified(post().header("X-Tenant", "anonymous"), TENANT));
		callers.add(identified(withPrincipal(post(), () -> "anonymous"), PRINCIPAL));
		assertThat(callers).doesNotContain(Caller.ANONYMOUS);
	}

	private static MockServerHttpRequest.BodyBuilder post() {
		return MockServerHttpRequest.post("/charges");
	}

	private static ServerWebExchange withPrincipal(MockServerHttpRequest.BodyBuilder request, Principal principal) {
		return MockServerWebExchange.from(request).mutate().principal(Mono.just(principal)).build();
	}

	private static Caller identified(MockServerHttpRequest.BodyBuilder request, CallerSource... sources) {
		return identified(MockServerWebExchange.from(request), sources);
	}

	private static Caller identified(ServerWebExchange exchange, CallerSource... sources) {
		CallerResolution found = resolve(exchange, false, sources);
		assertThat(found).isInstanceOf(CallerResolution.Identified.class);
		return ((CallerResolution.Identified) found).caller();
	}

	private static @Nullable CallerResolution resolve(MockServerHttpRequest.BodyBuilder request, boolean shares,
			CallerSource... sources) {
		return resolve(MockServerWebExchange.from(request), shares, sources);
	}

	private static @Nullable CallerResolution resolve(ServerWebExchange exchange, boolean shares,
			CallerSource... sources) {
		return new CallerResolver(new Scope(List.of(sources), shares, "default")).resolve(exchange)
			.block(Duration.ofSeconds(5));
	}

}
