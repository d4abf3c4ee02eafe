package dev.idempotency.core;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Who may look at a job: the caller under whose key it runs, and nobody else. Only a
 * digest of his identity is kept, salted by the job's id.
 *
 * @param source source of the identity, for instance {@code header:x-tenant}
 * @param digest SHA-256 in lower-case hexadecimal digits
 * @since 0.1.0
 */
public record JobOwner(String source, String digest) {

	/**
	 * The owner of a job.
	 * @param caller who submitted it
	 * @param job its id
	 */
	public static JobOwner of(Caller caller, JobId job) {
		MessageDigest hash = Digests.sha256();
		hash.update((job + "\n" + caller.source() + "\n").getBytes(StandardCharsets.UTF_8));
		hash.update(caller.identity().getBytes(StandardCharsets.UTF_8));
		return new JobOwner(caller.source(), HexFormat.of().formatHex(hash.digest()));
	}

	/**
	 * Whether this is he.
	 * @param caller who asks
	 * @param job the id he asks for
	 */
	public boolean is(Caller caller, JobId job) {
		byte[] theirs = of(caller, job).digest().getBytes(StandardCharsets.US_ASCII);
		return this.source.equals(caller.source())
				&& MessageDigest.isEqual(theirs, this.digest.getBytes(StandardCharsets.US_ASCII));
	}

	@Override
	public String toString() {
		return "JobOwner[" + this.source + "]";
	}

}
