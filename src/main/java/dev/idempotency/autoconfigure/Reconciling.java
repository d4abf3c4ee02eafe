package dev.idempotency.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.idempotency.autoconfigure.PolicyProperties.Reconciliation;
import dev.idempotency.core.IdempotencyPolicy.Reconcile;
import org.jspecify.annotations.Nullable;

/** Reads where the backend is asked what became of a key. */
final class Reconciling {

	private static final String KEY = "{key}";

	private static final String EXAMPLE = "an http or https address with " + KEY
			+ " in it, such as http://payments.internal:8080/payments?idempotency_key={key}";

	private static final Checks CHECKS = Checks.ofFields();

	private Reconciling() {
	}

	static Reconcile parse(Reconciliation written) {
		CHECKS.statuses("reconcile.applied", written.applied());
		CHECKS.statuses("reconcile.not-applied", written.notApplied());
		CHECKS.duration("reconcile.settle-after", written.settleAfter(), Duration.ZERO);
		CHECKS.duration("reconcile.timeout", written.timeout(), Duration.ofMillis(1));
		CHECKS.headerNames("reconcile.headers", written.headers().keySet());
		checkApart(written);
		return new Reconcile(uri(written.uri()), Set.copyOf(written.applied()), Set.copyOf(written.notApplied()),
				written.settleAfter(), written.timeout(), Map.copyOf(written.headers()));
	}

	private static void checkApart(Reconciliation written) {
		Set<Integer> both = new TreeSet<>(written.applied());
		both.retainAll(written.notApplied());
		if (!both.isEmpty()) {
			throw CHECKS.refuse("reconcile.not-applied", "holds " + Printed.of(both)
					+ ", as reconcile.applied does; accepted: a status in one of the two lists");
		}
	}

	private static String uri(@Nullable String written) {
		if (written == null || written.isBlank()) {
			throw CHECKS.refuse("reconcile.uri", "is needed where unknown is reconcile; accepted: " + EXAMPLE);
		}
		if (!written.contains(KEY) || !isHttp(written.replace(KEY, "key"))) {
			throw CHECKS.refuse("reconcile.uri", written, EXAMPLE);
		}
		return written;
	}

	private static boolean isHttp(String address) {
		try {
			URI uri = URI.create(address);
			return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
					&& uri.getHost() != null;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

}
