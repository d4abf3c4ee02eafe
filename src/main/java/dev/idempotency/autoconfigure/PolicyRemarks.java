package dev.idempotency.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.idempotency.core.IdempotencyPolicy;
import dev.idempotency.core.IdempotencyPolicy.CallerSource.Kind;
import dev.idempotency.core.IdempotencyPolicy.Mode;

/** What is possible in a policy, but worth a second look. */
final class PolicyRemarks {

	private PolicyRemarks() {
	}

	static List<Remark> on(IdempotencyPolicy policy) {
		String who = "Policy '" + policy.name() + "': ";
		List<Remark> remarks = new ArrayList<>();
		if (policy.scope().callers().stream().anyMatch((source) -> source.kind() == Kind.AUTHORIZATION)) {
			remarks.add(Remark.warn(who + "caller relies on 'authorization', the digest of the credential: a renewed "
					+ "token is another caller, whose retry is not recognised"));
		}
		if (policy.mode() == Mode.OBSERVE) {
			remarks.add(Remark.warn(who + "mode is observe: duplicates are counted and not prevented"));
		}
		if (policy.limits().deadline().compareTo(policy.limits().timeout()) < 0) {
			remarks.add(Remark.warn(who + "deadline " + Printed.of(policy.limits().deadline())
					+ " is shorter than timeout " + Printed.of(policy.limits().timeout()) + ", which it cuts"));
		}
		if (!policy.fingerprint().json() && !policy.fingerprint().exclude().isEmpty()) {
			remarks.add(Remark.warn(who + "fingerprint-exclude has no effect while fingerprint is bytes"));
		}
		return remarks;
	}

}
