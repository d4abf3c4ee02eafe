package dev.idempotency.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.idempotency.autoconfigure.IdempotencyProperties.Store;
import dev.idempotency.documentation.SettingsTable;
import dev.idempotency.documentation.SettingsTable.Row;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** What editors and the documentation say, against what the code does. */
class MetadataTests {

	private static final List<String> WITHOUT_DEFAULT = List.of("aliases", "callback-hosts", "callback-secret",
			"fingerprint-exclude", "fingerprint-headers", "reconcile.headers", "reconcile.uri", "unknown-on");

	@Test
	void exactlyTheFieldsOfAPolicyAreDescribed() {
		assertThat(names(SettingsTable.policyFields()))
			.containsExactlyInAnyOrderElementsOf(Fields.of(PolicyProperties.class).names());
	}

	@Test
	void exactlyTheSettingsAreDescribed() {
		List<String> accepted = Fields.of(IdempotencyProperties.class)
			.names()
			.stream()
			.map((name) -> "idempotency." + name)
			.toList();
		assertThat(names(SettingsTable.settings())).containsExactlyInAnyOrderElementsOf(accepted);
	}

	@Test
	void everyDescriptionIsASentence() {
		assertThat(SettingsTable.policyFields()).allSatisfy(MetadataTests::isSentence);
		assertThat(SettingsTable.settings()).allSatisfy(MetadataTests::isSentence);
	}

	@Test
	void whatHasNoDefaultSaysSo() {
		assertThat(SettingsTable.policyFields().stream().filter((row) -> row.defaultValue().isEmpty()).map(Row::name))
			.containsExactlyElementsOf(WITHOUT_DEFAULT);
	}

	@Test
	void theDefaultsDescribedAreTheDefaultsThatApply() {
		Map<String, String> described = new HashMap<>();
		SettingsTable.policyFields()
			.stream()
			.filter((row) -> !row.defaultValue().isEmpty())
			.forEach((row) -> described.put(row.name(), row.defaultValue()));
		PolicyFactory factory = new PolicyFactory(new StandardEnvironment(), Store.MEMORY);
		assertThat(factory.policyFor("r", described)).isEqualTo(factory.policyFor("r", Map.of()));
	}

	@Test
	void theDefaultsDescribedOfSettingsAreTheDefaultsThatApply() {
		Map<String, String> described = new HashMap<>();
		SettingsTable.settings()
			.stream()
			.filter((row) -> !row.defaultValue().isEmpty())
			.forEach((row) -> described.put(row.name(), row.defaultValue()));
		assertThat(described).hasSizeGreaterThan(5);
		assertThat(bind(described)).isEqualTo(bind(Map.of()));
	}

	private static IdempotencyProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("idempotency",
				IdempotencyProperties.class);
	}

	private static void isSentence(Row row) {
		assertThat(row.description()).as(row.name()).matches("[A-Z].{15,}\\.").doesNotContain("{@");
	}

	private static List<String> names(List<Row> rows) {
		return rows.stream().map(Row::name).toList();
	}

}
