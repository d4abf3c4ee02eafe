package dev.idempotency.app;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;

/**
 * Appends the lists of several routes files to one another. A list in one file would
 * otherwise replace the list in another, and routes would vanish without a word.
 */
final class CombinedLists implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	private static final String GATEWAY = "spring.cloud.gateway.server.webflux.";

	private static final List<String> LISTS = List.of(GATEWAY + "routes", GATEWAY + "default-filters");

	private final RoutesFiles files;

	CombinedLists(RoutesFiles files) {
		this.files = files;
	}

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		MutablePropertySources sources = event.getEnvironment().getPropertySources();
		LISTS.forEach((list) -> combine(list, sources));
	}

	private void combine(String list, MutablePropertySources sources) {
		List<EnumerablePropertySource<?>> parts = this.files.locations()
			.stream()
			.flatMap((location) -> part(list, location, sources).stream())
			.toList();
		if (parts.size() > 1) {
			String highest = parts.get(parts.size() - 1).getName();
			sources.addBefore(highest, new MapPropertySource(list + " of all files", joined(list, parts)));
		}
	}

	/** What the file says of the list in its last document, as within a single file. */
	private Optional<EnumerablePropertySource<?>> part(String list, String location, MutablePropertySources sources) {
		for (PropertySource<?> source : sources) {
			if (source instanceof EnumerablePropertySource<?> part && part.getName().contains("'" + location + "'")
					&& !entries(list, part).isEmpty()) {
				return Optional.of(part);
			}
		}
		return Optional.empty();
	}

	private static Map<String, Object> joined(String list, List<EnumerablePropertySource<?>> parts) {
		Map<String, Object> joined = new LinkedHashMap<>();
		int offset = 0;
		for (EnumerablePropertySource<?> part : parts) {
			Set<Integer> indices = new HashSet<>();
			for (Matcher entry : entries(list, part)) {
				int index = Integer.parseInt(entry.group("index"));
				indices.add(index);
				joined.put(list + "[" + (offset + index) + "]" + entry.group("rest"), part.getProperty(entry.group()));
			}
			offset += indices.size();
		}
		return joined;
	}

	private static List<Matcher> entries(String list, EnumerablePropertySource<?> part) {
		Pattern entry = Pattern.compile(Pattern.quote(list) + "\\[(?<index>\\d+)](?<rest>.*)");
		List<Matcher> entries = new ArrayList<>();
		for (String name : part.getPropertyNames()) {
			Matcher matcher = entry.matcher(name);
			if (matcher.matches()) {
				entries.add(matcher);
			}
		}
		return entries;
	}

}
