package dev.idempotency.store.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.idempotency.core.Claim;
import dev.idempotency.core.RecordId;
import dev.idempotency.store.RecordSamples;
import dev.idempotency.testing.FreePort;
import dev.idempotency.testing.RedisServer;
import dev.idempotency.testing.RedisSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Redis behind TLS, where the machine has a Redis that was built with it. */
@ExtendWith(OutputCaptureExtension.class)
class RedisTlsIT {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private final RecordId id = RecordSamples.id("tls");

	@TempDir
	private Path folder;

	private Path certificate;

	private Path key;

	private int port;

	@BeforeEach
	void makeCertificate() throws Exception {
		Assumptions.assumeTrue(RedisSource.MACHINE.isAvailable(), "the Redis out of the jar knows no TLS");
		Path store = this.folder.resolve("server.p12");
		new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
				"-alias", "server", "-keyalg", "RSA", "-dname", "CN=127.0.0.1", "-ext", "SAN=IP:127.0.0.1",
				"-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", new String(PASSWORD))
			.inheritIO()
			.start()
			.waitFor();
		KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
		this.certificate = pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
		this.key = pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
		this.port = FreePort.next();
	}

	@Test
	void a_bundle_of_boot_secures_the_connection() {
		SslBundle bundle = SslBundle
			.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate(this.certificate.toUri().toString())));
		try (RedisServer redis = start();
				RedisIdempotencyStore store = RedisConnectionSamples
					.connected(RedisConnectionSamples.secured(this.port, bundle), RedisStoreSettings.defaults())) {
			assertThat(store.claim(this.id, RecordSamples.claim(this.id)).block()).isInstanceOf(Claim.Won.class);
			assertThat(redis.command("DBSIZE")).isEqualTo("1");
		}
	}

	@Test
	void a_server_nobody_vouches_for_is_not_spoken_to(CapturedOutput output) {
		try (RedisServer redis = start();
				RedisIdempotencyStore store = RedisIdempotencyStore.create(
						RedisConnectionSamples.secured(this.port, SslBundle.systemDefault()),
						RedisClientSettings.defaults(), RedisStoreSettings.defaults())) {
			Awaitility.await().until(() -> output.getOut().contains("unable to find valid certification path"));
			assertThat(store.isServing()).isFalse();
		}
	}

	private RedisServer start() {
		return RedisServer.start(RedisSource.MACHINE, "--tls-port", Integer.toString(this.port), "--tls-cert-file",
				this.certificate.toString(), "--tls-key-file", this.key.toString(), "--tls-auth-clients", "no");
	}

	private Path pem(String kind, byte[] content) throws IOException {
		Path file = this.folder.resolve(kind.replace(' ', '-') + ".pem");
		return Files.writeString(file,
				"-----BEGIN " + kind + "-----\n"
						+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content) + "\n-----END " + kind
						+ "-----\n");
	}

}
