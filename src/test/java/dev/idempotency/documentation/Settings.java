package dev.idempotency.documentation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The settings as the code itself declares them, from the metadata that the compiler
 * makes for editors.
 *
 * @param byName each setting under its full name
 */
record Settings(Map<String, JsonNode> byName) {

	static final String POLICY = "idempotency.policies.default.";

	private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

	static Settings declared() {
		try (InputStream in = Settings.class.getResourceAsStream(METADATA)) {
			JsonNode properties = JsonMapper.shared()
				.readTree((in != null) ? in.readAllBytes() : new byte[] { '{', '}' });
			Map<String, JsonNode> settings = new TreeMap<>();
			properties.path("properties").forEach((setting) -> settings.put(setting.path("name").asString(), setting));
			settings.keySet().removeIf((name) -> !name.startsWith("idempotency."));
			return new Settings(settings);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The setting a key in a configuration file belongs to.
	 * @param key with the name of a policy, and perhaps an index, in it
	 * @return its declared name; empty if there is none
	 */
	Optional<String> declares(String key) {
		String plain = key.replaceAll("\\[\\d+]", "").replaceFirst("^idempotency\\.policies\\.[\\w-]+\\.", POLICY);
		return this.byName.keySet()
			.stream()
			.filter((name) -> plain.equals(name) || (isMap(name) && plain.startsWith(name + ".")))
			.findFirst();
	}

	/** Two tables in Markdown: the whole gateway, and the fields of a policy. */
	String tables() {
		return "**The whole gateway**\n\n" + table("idempotency.", false)
				+ "\n\n**Fields of a policy** (`idempotency.policies.NAME.…`, or arguments of the filter)\n\n"
				+ table(POLICY, true);
	}

	private String table(String prefix, boolean policy) {
		List<JsonNode> rows = this.byName.values()
			.stream()
			.filter((setting) -> name(setting).startsWith(POLICY) == policy)
			.filter((setting) -> !name(setting).equals("idempotency.policies"))
			.toList();
		return rows.stream()
			.map((setting) -> "| `" + name(setting).substring(policy ? prefix.length() : 0) + "` | "
					+ byDefault(setting) + " | " + setting.path("description").asString("").replace("|", "\\|") + " |")
			.collect(Collectors.joining("\n", "| setting | default | meaning |\n|---|---|---|\n", ""));
	}

	private boolean isMap(String name) {
		return this.byName.get(name).path("type").asString("").startsWith("java.util.Map");
	}

	private static String name(JsonNode setting) {
		return setting.path("name").asString();
	}

	private static String byDefault(JsonNode setting) {
		JsonNode value = setting.path("defaultValue");
		if (value.isMissingNode() || (value.isArray() && value.isEmpty())) {
			return "";
		}
		String text = value.isArray() ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))
				: value.asString();
		return text.isEmpty() ? "" : "`" + text + "`";
	}

}
