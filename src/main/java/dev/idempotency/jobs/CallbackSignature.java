package dev.idempotency.jobs;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs what is posted, together with the time, so that an old post cannot be sent anew.
 */
final class CallbackSignature {

	private static final String ALGORITHM = "HmacSHA256";

	private CallbackSignature() {
	}

	static String of(String secret, Instant time, byte[] body) {
		String seconds = Long.toString(time.getEpochSecond());
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
			mac.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
			return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("every JDK has " + ALGORITHM, ex);
		}
	}

}
