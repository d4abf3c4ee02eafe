package dev.idempotency.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class RoutesFilesTests {

	private static final String WEBFLUX = "spring.cloud.gateway.server.webflux";

	@TempDir
	Path folder;

	private Path first;

	private Path second;

	@BeforeEach
	void writeTwoFiles() throws Exception {
		this.first = write("first.yml", """
				spring.cloud.gateway.server.webflux:
				  default-filters: [ "A" ]
				  routes:
				    - id: one
				      predicates: [ "Path=/one" ]
				    - id: two
				server.port: 9001
				""");
		this.second = write("second.yml", """
				spring.cloud.gateway.server.webflux:
				  routes:
				    - id: three
				server.port: 9002
				""");
	}

	@Test
	void withoutANameTheFileInTheWorkingDirectoryIsTakenIfItIsThere() {
		for (String name : new String[] { null, "", " , " }) {
			RoutesFiles files = RoutesFiles.namedBy(name);
			assertThat(files.files()).containsExactly(Path.of("gateway-routes.yml").toAbsolutePath());
			assertThat(files.imports()).startsWith("optional:file:").endsWith("/gateway-routes.yml");
			assertThat(files.firstUnreadable()).isEmpty();
		}
	}

	@Test
	void theFirstNamedFileThatCannotBeReadIsToldByItsPath() {
		Path gone = this.folder.resolve("gone.yml");
		assertThat(RoutesFiles.namedBy(this.first + ", " + gone).firstUnreadable()).contains(gone.toString());
		assertThat(RoutesFiles.namedBy(this.folder.toString()).firstUnreadable()).contains(this.folder.toString());
		assertThat(RoutesFiles.namedBy(this.first + "," + this.second).firstUnreadable()).isEmpty();
	}

	@Test
	void aFileThatIsNotYamlIsToldByLineAndColumn() throws IOException {
		Path broken = Files.writeString(this.folder.resolve("broken.yml"), "spring: [\n  bad: {");
		assertThat(RoutesFiles.namedBy(this.first + "," + broken).firstMalformed()).get()
			.asString()
			.startsWith(broken + ": line 2, column 9: ")
			.doesNotContain("\n");
		assertThat(RoutesFiles.namedBy(this.first + "," + this.second).firstMalformed()).isEmpty();
	}

	@Test
	void aDefaultFileThatIsMissingIsNoError() {
		RoutesFiles missing = new RoutesFiles(List.of(this.folder.resolve("gone.yml")), false);
		assertThat(missing.firstUnreadable()).isEmpty();
		assertThat(environment(missing).getProperty("server.port")).isEqualTo("8080");
	}

	@Test
	void aFileOverridesWhatTheGatewayComesWith() {
		ConfigurableEnvironment environment = environment(this.first);
		assertThat(environment.getProperty("server.port")).isEqualTo("9001");
		assertThat(environment.getProperty("management.server.port")).isEqualTo("8081");
		assertThat(ids(environment)).containsExactly("one", "two");
	}

	@Test
	void aLaterFileOverridesAnEarlierOneAndListsAreJoined() {
		ConfigurableEnvironment environment = environment(this.first, this.second);
		assertThat(environment.getProperty("server.port")).isEqualTo("9002");
		assertThat(ids(environment)).containsExactly("one", "two", "three");
		assertThat(environment.getProperty(WEBFLUX + ".routes[0].predicates[0]")).isEqualTo("Path=/one");
		assertThat(environment.getProperty(WEBFLUX + ".default-filters[0]")).isEqualTo("A");
	}

	@Test
	void withinOneFileTheLastDocumentWinsAsEverywhere() throws Exception {
		Path documents = write("documents.yml",
				Files.readString(this.first) + "\n---\n" + Files.readString(this.second));
		assertThat(ids(environment(documents))).containsExactly("three");
		assertThat(ids(environment(this.first, documents))).containsExactly("one", "two", "three");
	}

	@Test
	void aFileMayHaveAnyName() throws Exception {
		Path odd = write("my routes", Files.readString(this.second));
		assertThat(ids(environment(odd, this.first))).containsExactly("three", "one", "two");
	}

	private Path write(String name, String content) throws Exception {
		return Files.writeString(this.folder.resolve(name), content);
	}

	private static List<String> ids(ConfigurableEnvironment environment) {
		return Binder.get(environment)
			.bind(WEBFLUX + ".routes", Bindable.listOf(Route.class))
			.get()
			.stream()
			.map(Route::id)
			.toList();
	}

	private static ConfigurableEnvironment environment(Path... named) {
		List<String> names = List.of(named).stream().map(Path::toString).toList();
		return environment(RoutesFiles.namedBy(String.join(",", names)));
	}

	/** The environment of the ready gateway without the gateway. */
	private static ConfigurableEnvironment environment(RoutesFiles files) {
		SpringApplication application = new SpringApplication(Nothing.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setLogStartupInfo(false);
		try (var context = IdempotencyGatewayApplication.configured(application, files).run()) {
			return context.getEnvironment();
		}
	}

	record Route(String id) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

	}

}
