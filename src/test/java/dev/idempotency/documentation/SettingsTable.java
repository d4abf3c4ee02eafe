package dev.idempotency.documentation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParserFactory;

/**
 * The settings as the metadata describes them that the build makes for editors: what a
 * table in the documentation has to show.
 */
public final class SettingsTable {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final String ALL = "idempotency.";

	private static final String POLICY = "idempotency.policies.default.";

	private SettingsTable() {
	}

	/**
	 * One line of a table.
	 *
	 * @param name as it is written in a file
	 * @param defaultValue as it is written in a file; empty where there is none, or where
	 * the description says it
	 * @param description one or two sentences
	 */
	public record Row(String name, String defaultValue, String description) {

		/** A row of a Markdown table. */
		public String markdown() {
			String value = this.defaultValue.isEmpty() ? "" : "`" + this.defaultValue + "`";
			return "| `" + this.name + "` | " + value + " | " + this.description.replace("|", "\\|") + " |";
		}

	}

	/**
	 * Settings of the whole gateway, with their full names, in the order of the alphabet.
	 */
	public static List<Row> settings() {
		return rows(ALL).stream().filter((row) -> !row.name().startsWith(POLICY)).toList();
	}

	/** Fields of a policy, without what stands in front, in the order of the alphabet. */
	public static List<Row> policyFields() {
		return rows(POLICY).stream()
			.map((row) -> new Row(row.name().substring(POLICY.length()), row.defaultValue(), row.description()))
			.toList();
	}

	/** A Markdown table, without a line break at its end. */
	public static String markdown(Collection<Row> rows) {
		return rows.stream()
			.map(Row::markdown)
			.collect(Collectors.joining("\n", "| name | default | meaning |\n|---|---|---|\n", ""));
	}

	private static List<Row> rows(String prefix) {
		return properties().stream()
			.filter((property) -> String.valueOf(property.get("name")).startsWith(prefix))
			.map((property) -> new Row(text(property.get("name")), text(property.get("defaultValue")),
					text(property.get("description"))))
			.sorted((one, other) -> one.name().compareTo(other.name()))
			.toList();
	}

	/** Of all jars, since each brings a file of that name. */
	private static List<Map<String, Object>> properties() {
		try {
			List<Map<String, Object>> properties = new ArrayList<>();
			for (URL file : Collections.list(SettingsTable.class.getClassLoader().getResources(METADATA))) {
				properties.addAll(properties(file));
			}
			return properties;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> properties(URL file) throws IOException {
		try (InputStream stream = file.openStream()) {
			String json = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
			return (List<Map<String, Object>>) JsonParserFactory.getJsonParser().parseMap(json).get("properties");
		}
	}

	private static String text(@Nullable Object value) {
		if (value instanceof Collection<?> values) {
			return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
		}
		return (value != null) ? value.toString() : "";
	}

}
