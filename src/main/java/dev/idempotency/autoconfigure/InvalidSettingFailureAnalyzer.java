package dev.idempotency.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Prints the {@code idempotency.*} setting that stopped the start on one line. Goes
 * before Boot's own analyzers, which neither name what is accepted nor keep to one line.
 */
@Order(0)
class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(IdempotencyProperties.PREFIX);

	private static final BindingErrors ERRORS = new BindingErrors(ROOT, Fields.of(IdempotencyProperties.class),
			Checks.ofSettings());

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!ROOT.equals(cause.getName()) && !ROOT.isAncestorOf(cause.getName())) {
			return null;
		}
		return new FailureAnalysis(String.valueOf(ERRORS.translate(cause).getMessage()), "Correct the setting.", cause);
	}

}
