package dev.idempotency.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Prints the policy that stopped the start in place of a stack trace. */
@Order(0)
class InvalidPolicyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidPolicyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidPolicyException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Correct the policy, or the arguments of the Idempotency filter on that route.", cause);
	}

}
