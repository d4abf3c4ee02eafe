package dev.idempotency.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Keeps what clients make up out of the tags of other people's meters: a method is any
 * word, and Spring Cloud Gateway counts requests by it.
 */
@Configuration(proxyBeanMethods = false)
class MeterConfiguration {

	private static final Set<String> TAGS = Set.of("method", "httpMethod", "http.method");

	private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
			"TRACE", "none", "UNKNOWN");

	@Bean
	MeterFilter knownMethods() {
		return new MeterFilter() {

			@Override
			public Meter.Id map(Meter.Id id) {
				return isMadeUp(id) ? id.replaceTags(known(id.getTags())) : id;
			}

		};
	}

	private static boolean isMadeUp(Meter.Id id) {
		return id.getTags().stream().anyMatch(MeterConfiguration::isMadeUp);
	}

	private static boolean isMadeUp(Tag tag) {
		return TAGS.contains(tag.getKey()) && !METHODS.contains(tag.getValue());
	}

	private static List<Tag> known(List<Tag> tags) {
		List<Tag> known = new ArrayList<>();
		for (Tag tag : tags) {
			known.add(isMadeUp(tag) ? Tag.of(tag.getKey(), "OTHER") : tag);
		}
		return known;
	}

}
