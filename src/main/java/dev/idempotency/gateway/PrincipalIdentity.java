package dev.idempotency.gateway;

import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.util.ClassUtils;

/**
 * What identifies an authenticated principal: issuer and subject of a verified token,
 * else its kind and name. Spring Security is looked at only where the application has it.
 */
final class PrincipalIdentity {

	private static final boolean SECURITY = isPresent("org.springframework.security.core.Authentication");

	private static final boolean OAUTH2 = isPresent("org.springframework.security.oauth2.core.ClaimAccessor");

	private static final String PROVIDER = "authorizedClientRegistrationId";

	private PrincipalIdentity() {
	}

	/**
	 * The identity of a principal.
	 * @param principal as the exchange has it
	 * @return an unambiguous text, empty if the principal stands for nobody
	 */
	static String of(Principal principal) {
		if (SECURITY && !Security.isAuthenticated(principal)) {
			return "";
		}
		String token = (SECURITY && OAUTH2) ? Tokens.identity(principal) : "";
		return token.isEmpty() ? named(principal) : token;
	}

	/**
	 * The identity of a token's holder.
	 * @param issuer who vouches for the subject
	 * @param subject who it is
	 */
	static String ofToken(String issuer, String subject) {
		return "token:" + issuer.length() + ":" + issuer + subject;
	}

	private static String named(Principal principal) {
		String name = Objects.requireNonNullElse(principal.getName(), "");
		return name.isEmpty() ? "" : "name:" + kind(principal.getClass()) + ":" + provider(principal) + ":" + name;
	}

	/**
	 * The nearest class whose name is the same in every instance of the gateway, which
	 * the names of lambdas and proxies are not.
	 */
	private static String kind(Class<?> type) {
		Class<?> named = type;
		while (named.isHidden() || named.isSynthetic() || Proxy.isProxyClass(named)
				|| named.getCanonicalName() == null) {
			named = named.getSuperclass();
		}
		return named.getName();
	}

	/**
	 * The provider a user logged in with: a name without an issuer means something only
	 * together with it. Read as a property, so that nobody needs the class that has it.
	 */
	private static String provider(Principal principal) {
		BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(principal);
		return properties.isReadableProperty(PROVIDER) ? String.valueOf(properties.getPropertyValue(PROVIDER)) : "";
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, PrincipalIdentity.class.getClassLoader());
	}

	/** Loaded only where Spring Security is. */
	private static final class Security {

		private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

		static boolean isAuthenticated(Principal principal) {
			return !(principal instanceof Authentication authentication) || TRUST.isAuthenticated(authentication);
		}

	}

	/** Loaded only where Spring Security knows of tokens. */
	private static final class Tokens {

		static String identity(Principal principal) {
			Object holder = (principal instanceof Authentication authentication) ? authentication.getPrincipal()
					: principal;
			if (holder instanceof ClaimAccessor token) {
				return identity(token.getClaims().get("iss"), token.getClaims().get("sub"));
			}
			if (holder instanceof OAuth2AuthenticatedPrincipal token) {
				return identity(token.getAttributes().get("iss"), token.getAttributes().get("sub"));
			}
			return "";
		}

		private static String identity(@Nullable Object issuer, @Nullable Object subject) {
			String iss = Objects.toString(issuer, "");
			String sub = Objects.toString(subject, "");
			return (iss.isEmpty() || sub.isEmpty()) ? "" : ofToken(iss, sub);
		}

	}

}
