package dev.idempotency.app;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The configuration of TLS that the documentation shows, as it stands there. */
class TlsIT {

	private static final char[] PASSWORD = "changeit".toCharArray();

	@TempDir
	static Path folder;

	private static KeyStore keys;

	@BeforeAll
	static void makeCertificate() throws Exception {
		Path store = folder.resolve("server.p12");
		int code = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "server", "-keyalg", "RSA", "-dname", "CN=localhost", "-ext",
				"SAN=DNS:localhost", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass",
				new String(PASSWORD))
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.waitFor();
		assertThat(code).isZero();
		keys = KeyStore.getInstance(store.toFile(), PASSWORD);
		pem("tls.crt", "CERTIFICATE", keys.getCertificate("server").getEncoded());
		pem("tls.key", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
	}

	@Test
	void clientsAreServedOverTlsAndHttp2() throws Exception {
		try (ScriptedBackend backend = ScriptedBackend.start()) {
			backend.always(Reply.json(201, "{\"id\":1}"));
			Path routes = Files.writeString(folder.resolve("routes.yml"),
					documented().replace("/etc/tls/", folder + "/").replace("8443", "0") + """

							spring.cloud.gateway.server.webflux.routes:
							  - id: pay
							    uri: %s
							    predicates: [ "Path=/pay" ]
							    filters: [ "Idempotency" ]
							idempotency.policies.default: { anonymous: share }
							""".formatted(backend.uri()));
			try (ConfigurableApplicationContext gateway = IdempotencyGatewayApplication
				.configured(new SpringApplication(IdempotencyGatewayApplication.class),
						RoutesFiles.namedBy(routes.toString()))
				.run("--management.server.port=0")) {
				String port = gateway.getEnvironment().getProperty("local.server.port");
				HttpResponse<String> first = pay(port);
				HttpResponse<String> retry = pay(port);
				assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
				assertThat(first.statusCode()).isEqualTo(201);
				assertThat(retry.headers().firstValue("Idempotent-Replayed")).hasValue("true");
				assertThat(backend.executions()).isOne();
			}
		}
	}

	private static HttpResponse<String> pay(String port) throws Exception {
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(keys);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trust.getTrustManagers(), null);
		return HttpClient.newBuilder()
			.sslContext(context)
			.build()
			.send(HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/pay"))
				.header("Idempotency-Key", "k")
				.POST(HttpRequest.BodyPublishers.ofString("{}"))
				.build(), HttpResponse.BodyHandlers.ofString());
	}

	/** The first block under the heading. */
	private static String documented() throws Exception {
		Matcher block = Pattern.compile("(?s)## TLS.*?```yaml\\n(.*?)```")
			.matcher(Files.readString(Path.of("src/docs/operating.md")));
		assertThat(block.find()).isTrue();
		return block.group(1);
	}

	private static void pem(String name, String kind, byte[] content) throws Exception {
		Files.writeString(folder.resolve(name), "-----BEGIN " + kind + "-----\n"
				+ Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + kind + "-----\n");
	}

}
