package dev.idempotency.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Leaves OpenTelemetry out until somebody says where it may send to, by the properties of
 * Boot or by the {@code OTEL_…} variables that Boot maps to them. Spans that nobody
 * collects would still be made for each request, and the headers of a trace be rewritten.
 */
final class TelemetrySwitch implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

	/** After the files have been read, and before the log is set up. */
	private static final int ORDER = LoggingApplicationListener.DEFAULT_ORDER - 1;

	private static final String EXCLUDE = "spring.autoconfigure.exclude";

	private static final String BOOT = "org.springframework.boot.";

	private static final List<String> TRACES = List.of("management.opentelemetry.tracing.export.otlp.endpoint",
			"management.otlp.tracing.endpoint");

	private static final List<String> LOGS = List.of("management.opentelemetry.logging.export.otlp.endpoint",
			"management.otlp.logging.endpoint");

	private static final List<String> TRACING = List.of(
			BOOT + "micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
			BOOT + "micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
			BOOT + "micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
			BOOT + "micrometer.tracing.opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration");

	private static final List<String> LOGGING = List.of(
			BOOT + "opentelemetry.autoconfigure.logging.OpenTelemetryLoggingAutoConfiguration",
			BOOT + "opentelemetry.autoconfigure.logging.otlp.OtlpLoggingAutoConfiguration");

	private static final String SDK = BOOT + "opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration";

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		ConfigurableEnvironment environment = event.getEnvironment();
		boolean traces = isSet(environment, TRACES);
		boolean logs = isSet(environment, LOGS);
		environment.getPropertySources()
			.addFirst(new MapPropertySource("telemetry that is off", overrides(environment, traces, logs)));
		environment.getPropertySources()
			.addLast(new MapPropertySource("telemetry defaults", defaults(environment, traces)));
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	/** Boot would leave room for a trace in each line of the log. */
	private static Map<String, Object> overrides(ConfigurableEnvironment environment, boolean traces, boolean logs) {
		Map<String, Object> overrides = new LinkedHashMap<>();
		overrides.put(LoggingSystem.EXPECT_CORRELATION_ID_PROPERTY, traces);
		List<String> off = off(traces, logs);
		if (!off.isEmpty()) {
			overrides.put(EXCLUDE, String.join(",", with(off, environment)));
		}
		return overrides;
	}

	private static List<String> off(boolean traces, boolean logs) {
		List<String> off = new ArrayList<>();
		if (!traces) {
			off.addAll(TRACING);
		}
		if (!logs) {
			off.addAll(LOGGING);
		}
		if (!traces && !logs) {
			off.add(SDK);
		}
		return off;
	}

	/** What an operator excludes stays excluded. */
	private static List<String> with(List<String> off, ConfigurableEnvironment environment) {
		List<String> all = new ArrayList<>(
				Binder.get(environment).bind(EXCLUDE, Bindable.listOf(String.class)).orElse(List.of()));
		all.addAll(off);
		return all;
	}

	/**
	 * Lines of the log have the trace of their request only where it is carried along.
	 */
	private static Map<String, Object> defaults(ConfigurableEnvironment environment, boolean traces) {
		boolean metrics = environment.containsProperty("management.otlp.metrics.export.url");
		Map<String, Object> defaults = new LinkedHashMap<>();
		defaults.put("management.otlp.metrics.export.enabled", metrics);
		if (traces) {
			defaults.put("spring.reactor.context-propagation", "auto");
		}
		return defaults;
	}

	private static boolean isSet(ConfigurableEnvironment environment, List<String> names) {
		return names.stream().anyMatch(environment::containsProperty);
	}

}
