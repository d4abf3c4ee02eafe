package dev.idempotency.documentation;

import java.util.List;

import dev.idempotency.documentation.SettingsTable.Row;

/** The settings as the code itself declares them. */
final class Settings {

	private static final String POLICIES = "idempotency.policies";

	private final List<Row> all = SettingsTable.settings();

	private final List<Row> fields = SettingsTable.policyFields();

	/**
	 * Whether a key of a configuration file is a setting, of a policy by any name too.
	 */
	boolean declare(String key) {
		if (key.startsWith(POLICIES + ".")) {
			String[] parts = key.split("\\.", 4);
			return parts.length < 4 || declareField(parts[3]);
		}
		return declared(this.all, key);
	}

	/** Whether a policy, or the filter, takes this field. */
	boolean declareField(String name) {
		return declared(this.fields, name);
	}

	/** Two tables in Markdown: the whole gateway, and the fields of a policy. */
	String tables() {
		return "**The whole gateway**\n\n" + SettingsTable.markdown(this.all)
				+ "\n\n**Fields of a policy** (`idempotency.policies.NAME.…`, or arguments of the filter)\n\n"
				+ SettingsTable.markdown(this.fields);
	}

	/**
	 * What stands below a setting without settings of its own is the content of a map.
	 */
	private static boolean declared(List<Row> rows, String key) {
		String plain = key.replaceAll("\\[\\d+]", "");
		return rows.stream()
			.anyMatch((row) -> plain.equals(row.name()) || plain.startsWith(row.name() + ".")
					&& rows.stream().noneMatch((other) -> other.name().startsWith(row.name() + ".")));
	}

}
