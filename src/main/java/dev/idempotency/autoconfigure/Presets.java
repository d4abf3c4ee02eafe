package dev.idempotency.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import dev.idempotency.core.IdempotencyPolicy.Preset;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What a preset says, as the layer below everything that was written by hand. */
final class Presets {

	/** A 503 proves less than it seems where a service mesh may have said it. */
	private static final Map<String, String> STRICT = Map.of("key", "required", "fingerprint", "bytes", "unknown",
			"hold", "store-failure", "reject", "release-on", "401, 403, 407, 408, 421, 425, 429", "retry.statuses", "");

	private static final Map<String, String> RELAXED = Map.of("key", "optional", "unknown", "retry", "store-failure",
			"forward");

	private Presets() {
	}

	static ConfigurationPropertySource of(Preset preset, ConfigurationPropertyName root) {
		Map<String, String> fields = (preset == Preset.STRICT) ? STRICT : RELAXED;
		Map<String, String> properties = new HashMap<>();
		fields.forEach((field, value) -> properties.put(root + "." + field, value));
		return new MapConfigurationPropertySource(properties);
	}

}
