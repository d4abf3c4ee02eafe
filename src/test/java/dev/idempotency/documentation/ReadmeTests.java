package dev.idempotency.documentation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

class ReadmeTests {

	private static final Path ROOT = Path.of("").toAbsolutePath();

	private static final Path README = ROOT.resolve("README.md");

	private static final String START = "<!-- settings:start -->";

	private static final String END = "<!-- settings:end -->";

	private static final String METERS_START = "<!-- meters:start -->";

	private static final String METERS_END = "<!-- meters:end -->";

	private static final int LARGEST = 25 * 1024;

	private static final Pattern PRAISE = Pattern.compile("\\b(blazing|seamless\\w*|effortless\\w*|cutting.edge"
			+ "|enterprise.grade|world.class|state.of.the.art|robust|powerful|revolutionary|coming soon|simply)\\b",
			Pattern.CASE_INSENSITIVE);

	/** Paths of one machine, and promises to oneself. */
	private static final Pattern PRIVATE = Pattern
		.compile("(?<![\\w.])/(home|root|tmp|work|Users)/|\\b(TODO|FIXME|TBD)\\b");

	private static final Pattern PROJECT_VERSION = Pattern
		.compile("<artifactId>idempotency-gateway</artifactId>\\s+<version>([^<]+)</version>");

	private static final Pattern FILTER = Pattern.compile("(?<filter>.*\\.filters\\[\\d+])\\.args\\.(?<field>.+)");

	private final Settings settings = new Settings();

	static List<Markdown> documents() throws IOException {
		try (Stream<Path> own = Files.list(ROOT); Stream<Path> decisions = Files.walk(ROOT.resolve("src/docs"))) {
			return Stream.concat(own, decisions)
				.filter((file) -> file.toString().endsWith(".md"))
				.map(ROOT::relativize)
				.map(Markdown::read)
				.toList();
		}
	}

	static List<String> configurations() throws IOException {
		return Stream
			.concat(Markdown.read(README).blocks("yaml").stream(),
					Stream.of(Files.readString(ROOT.resolve("gateway-routes.yml"))))
			.toList();
	}

	@ParameterizedTest
	@MethodSource("configurations")
	void everyBlockOfYamlHoldsSettings(String yaml) {
		assertThat(flat(yaml)).isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource("configurations")
	void everySettingThatIsShownExists(String yaml) {
		assertThat(flat(yaml).stringPropertyNames()).filteredOn((key) -> key.startsWith("idempotency."))
			.allMatch(this.settings::declare);
	}

	@ParameterizedTest
	@MethodSource("configurations")
	void everyArgumentOfTheFilterThatIsShownExists(String yaml) {
		Properties flat = flat(yaml);
		assertThat(flat.stringPropertyNames()).allSatisfy((key) -> {
			Matcher argument = FILTER.matcher(key);
			if (argument.matches() && "Idempotency".equals(flat.get(argument.group("filter") + ".name"))
					&& !argument.group("field").equals("policy")) {
				assertThat(this.settings.declareField(argument.group("field"))).as(key).isTrue();
			}
		});
	}

	@Test
	void theTablesOfSettingsSayWhatTheCodeSays() throws IOException {
		write(START, END, this.settings.tables());
	}

	/** Writes a table where that is asked for, else compares it. */
	private static void write(String start, String end, String table) throws IOException {
		Markdown readme = Markdown.read(README);
		if (Boolean.getBoolean("idempotency.docs.write")) {
			Files.writeString(README, readme.text()
				.replace(start + readme.text().split(start)[1].split(end)[0] + end, start + "\n" + table + "\n" + end));
			return;
		}
		assertThat(readme.between(start, end))
			.as("write them anew: ./mvnw test -Dtest=ReadmeTests " + "-DargLine=-Didempotency.docs.write=true")
			.isEqualTo(table);
	}

	@Test
	void theTableOfMetersSaysWhatTheCodeSays() throws IOException {
		write(METERS_START, METERS_END, MeterTable.markdown());
	}

	@ParameterizedTest
	@MethodSource("documents")
	void everyLinkLeadsSomewhere(Markdown document) {
		assertThat(document.relativeLinks()).allSatisfy((link) -> {
			String[] parts = link.split("#", 2);
			Path target = parts[0].isEmpty() ? document.file()
					: ROOT.resolve(document.file()).resolveSibling(parts[0]).normalize();
			assertThat(target).exists();
			if (parts.length > 1) {
				assertThat(Markdown.read(target).anchors()).contains(parts[1]);
			}
		});
	}

	@ParameterizedTest
	@MethodSource("documents")
	void noDocumentPraisesItselfOrSpeaksOfOneMachine(Markdown document) {
		assertThat(document.text()).doesNotContainPattern(PRAISE).doesNotContainPattern(PRIVATE);
	}

	@Test
	void theReadmeNamesTheVersionThatIsBuilt() throws IOException {
		Matcher version = PROJECT_VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
		assertThat(version.find()).isTrue();
		assertThat(Markdown.read(README).text()).contains("<version>" + version.group(1) + "</version>")
			.contains("idempotency-gateway-" + version.group(1) + "-exec.jar");
	}

	@Test
	void theReadmeCanBeReadInOneSitting() throws IOException {
		assertThat(Files.size(README)).isLessThan(LARGEST);
	}

	private static Properties flat(String yaml) {
		YamlPropertiesFactoryBean reader = new YamlPropertiesFactoryBean();
		reader.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
		return Objects.requireNonNullElseGet(reader.getObject(), () -> {
			throw new IllegalArgumentException("holds nothing");
		});
	}

}
