package dev.idempotency.upstream;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for this machine that nobody else trusts, made by the JDK's own tool. */
final class Certificate {

	private static final String PASSWORD = "changeit";

	private Certificate() {
	}

	static SSLContext context() throws Exception {
		Path folder = Files.createTempDirectory("certificate");
		Path store = folder.resolve("store.p12");
		String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
		int code = new ProcessBuilder(keytool, "-genkeypair", "-alias", "test", "-keyalg", "EC", "-dname",
				"CN=localhost", "-ext", "san=ip:127.0.0.1", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore",
				store.toString())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.waitFor();
		if (code != 0) {
			throw new IllegalStateException("keytool ended with " + code);
		}
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(store)) {
			keys.load(in, PASSWORD.toCharArray());
		}
		KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keyManagers.init(keys, PASSWORD.toCharArray());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(keys);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
		return context;
	}

}
