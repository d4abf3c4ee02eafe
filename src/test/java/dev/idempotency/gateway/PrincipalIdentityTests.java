package dev.idempotency.gateway;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthentication;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

import static org.assertj.core.api.Assertions.assertThat;

class PrincipalIdentityTests {

	@Test
	void aTokenIsKnownByIssuerAndSubject() {
		assertThat(identity("https://a.example", "42")).isEqualTo("token:17:https://a.example42")
			.isNotEqualTo(identity("https://b.example", "42"));
	}

	@Test
	void aRenewedTokenIsTheSameCaller() {
		Jwt renewed = jwt("https://a.example", "42").claim("jti", "2").claim("scope", "more").build();
		assertThat(PrincipalIdentity.of(new JwtAuthenticationToken(renewed, List.of())))
			.isEqualTo(identity("https://a.example", "42"));
	}

	@Test
	void issuerAndSubjectDoNotRunIntoOneAnother() {
		assertThat(identity("https://a.example/1", "2")).isNotEqualTo(identity("https://a.example/", "12"));
	}

	@Test
	void aTokenWithoutSubjectIsKnownByItsName() {
		Jwt jwt = Jwt.withTokenValue("t").header("alg", "none").claim("client_id", "shop").build();
		JwtAuthenticationToken named = new JwtAuthenticationToken(jwt, List.of(), "shop");
		assertThat(PrincipalIdentity.of(named)).endsWith(":shop");
		assertThat(PrincipalIdentity.of(new JwtAuthenticationToken(jwt, List.of()))).isEmpty();
	}

	@Test
	void anOpaqueTokenIsKnownByIssuerAndSubjectToo() {
		DefaultOAuth2AuthenticatedPrincipal principal = new DefaultOAuth2AuthenticatedPrincipal("name",
				Map.of("iss", "https://a.example", "sub", "42"), AuthorityUtils.NO_AUTHORITIES);
		OAuth2AccessToken token = new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, "t", Instant.EPOCH,
				Instant.MAX);
		assertThat(PrincipalIdentity.of(new BearerTokenAuthentication(principal, token, List.of())))
			.isEqualTo(identity("https://a.example", "42"));
	}

	@Test
	void aNameIsKnownTogetherWithItsKind() {
		assertThat(PrincipalIdentity.of(UsernamePasswordAuthenticationToken.authenticated("bob", "pw", List.of())))
			.isEqualTo("name:" + UsernamePasswordAuthenticationToken.class.getName() + "::bob");
	}

	@Test
	void equalNamesAtTwoProvidersAreTwoCallers() {
		assertThat(PrincipalIdentity.of(new LoggedIn("one"))).endsWith(":one:17")
			.isNotEqualTo(PrincipalIdentity.of(new LoggedIn("two")));
	}

	@Test
	void namesAreToldApartWithoutSpringSecurityToo() throws Exception {
		URL classes = PrincipalIdentity.class.getProtectionDomain().getCodeSource().getLocation();
		ClassLoader without = new FilteredClassLoader("org.springframework.security", "dev.idempotency");
		try (URLClassLoader loader = new URLClassLoader(new URL[] { classes }, without)) {
			Method of = loader.loadClass(PrincipalIdentity.class.getName()).getDeclaredMethod("of", Principal.class);
			of.setAccessible(true);
			Principal bob = () -> "bob";
			assertThat(of.invoke(null, bob)).isEqualTo("name:java.lang.Object::bob");
		}
	}

	@Test
	void theNameOfALambdaIsNoPartOfAnIdentity() {
		Principal lambda = () -> "bob";
		assertThat(PrincipalIdentity.of(lambda)).isEqualTo("name:java.lang.Object::bob");
	}

	@Test
	void anonymousAndUnauthenticatedPrincipalsAreNobody() {
		assertThat(PrincipalIdentity.of(new AnonymousAuthenticationToken("key", "anonymousUser",
				AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))))
			.isEmpty();
		assertThat(PrincipalIdentity.of(UsernamePasswordAuthenticationToken.unauthenticated("bob", "pw"))).isEmpty();
	}

	@Test
	void aRememberedUserIsSomebody() {
		assertThat(PrincipalIdentity.of(new RememberMeAuthenticationToken("key", "bob", List.of()))).endsWith(":bob");
	}

	@Test
	void aPrincipalWithoutNameIsNobody() {
		assertThat(PrincipalIdentity.of(() -> "")).isEmpty();
	}

	private static String identity(String issuer, String subject) {
		return PrincipalIdentity.of(new JwtAuthenticationToken(jwt(issuer, subject).build(), List.of()));
	}

	private static Jwt.Builder jwt(String issuer, String subject) {
		return Jwt.withTokenValue("t").header("alg", "none").issuer(issuer).subject(subject);
	}

	/** As a user looks who logged in with a provider that tells no issuer. */
	static final class LoggedIn extends AbstractAuthenticationToken {

		private static final long serialVersionUID = 1L;

		private final String provider;

		LoggedIn(String provider) {
			super(List.of());
			this.provider = provider;
			setAuthenticated(true);
		}

		public String getAuthorizedClientRegistrationId() {
			return this.provider;
		}

		@Override
		public Object getCredentials() {
			return "";
		}

		@Override
		public Object getPrincipal() {
			return new DefaultOAuth2AuthenticatedPrincipal("17", Map.of("sub", "17"), AuthorityUtils.NO_AUTHORITIES);
		}

	}

}
