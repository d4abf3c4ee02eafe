package dev.idempotency.store.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.idempotency.core.IdempotencyStore;
import dev.idempotency.testing.PostgresServer;
import dev.idempotency.testing.PostgresSource;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.Slow;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that wants a password and speaks TLS only, reached by Boot's own settings. */
@ExtendWith(OutputCaptureExtension.class)
@Slow
class PostgresLoginIT {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final char[] PASSWORD = "changeit".toCharArray();

	private Path folder;

	private PostgresServer postgres;

	@BeforeEach
	void start() throws Exception {
		this.folder = PostgresSource.folder();
		Path store = this.folder.resolve("server.p12");
		new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
				"-alias", "server", "-keyalg", "RSA", "-dname", "CN=127.0.0.1", "-ext", "SAN=IP:127.0.0.1",
				"-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", new String(PASSWORD))
			.inheritIO()
			.start()
			.waitFor();
		KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
		pem("certificate.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
		pem("key.pem", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
		PostgresSource.give(Files.writeString(this.folder.resolve("hba"), """
				host    all postgres 127.0.0.1/32 trust
				hostssl all gateway  127.0.0.1/32 scram-sha-256
				"""));
		this.postgres = PostgresServer.start(PostgresSource.firstProcess(), "ssl=on",
				"ssl_cert_file=" + this.folder.resolve("certificate.pem"),
				"ssl_key_file=" + this.folder.resolve("key.pem"), "hba_file=" + this.folder.resolve("hba"));
		this.postgres.query("create role gateway login password 'sesame'");
		this.postgres.query("create schema records authorization gateway");
	}

	@AfterEach
	void stop() {
		this.postgres.close();
	}

	@Test
	void password_and_certificate_come_from_the_settings_of_boot() {
		try (RunningGateway gateway = gateway("sesame", "certificate.pem")) {
			Awaitility.await().atMost(SOON).until(() -> serves(gateway));
			assertThat(this.postgres.query("select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) "
					+ "where usename = 'gateway'"))
				.isEqualTo("t");
		}
	}

	@Test
	void a_wrong_password_is_reported_without_being_shown(CapturedOutput output) {
		try (RunningGateway gateway = gateway("open-wheat", "certificate.pem")) {
			Awaitility.await()
				.atMost(SOON)
				.until(() -> output.getOut().contains("password authentication failed for user"));
			assertThat(serves(gateway)).isFalse();
			assertThat(output).doesNotContain("open-wheat");
		}
	}

	private static boolean serves(RunningGateway gateway) {
		return gateway.bean(IdempotencyStore.class).status().serving();
	}

	private RunningGateway gateway(String password, String certificate) {
		return RunningGateway.start("""
				idempotency:
				  store: postgres
				  postgres.table: records.idempotency_record
				spring.r2dbc:
				  url: r2dbc:postgresql://127.0.0.1:%d/postgres
				  username: gateway
				  password: %s
				  properties: { sslMode: verify-full, sslRootCert: "%s" }
				""".formatted(this.postgres.port(), password, this.folder.resolve(certificate)));
	}

	private void pem(String name, String kind, byte[] content) throws IOException {
		PostgresSource.give(Files.writeString(this.folder.resolve(name),
				"-----BEGIN " + kind + "-----\n"
						+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content) + "\n-----END " + kind
						+ "-----\n"));
	}

}
