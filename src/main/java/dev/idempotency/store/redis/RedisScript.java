package dev.idempotency.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import io.lettuce.core.codec.Base16;

/** The scripts, each with one job and, where records are concerned, one key. */
enum RedisScript {

	LOOK("look"), RENEW("renew"), SETTLE("settle"), RELEASE("release"), FORGET("forget"), REPLACE("replace"),
	TAKE_OVER("take-over"),

	LEAVE("leave"), PUT("put"),

	JOBS_SUBMIT("jobs-submit"), JOBS_OFFER("jobs-offer"), JOBS_TAKE("jobs-take"), JOBS_DISPOSE("jobs-dispose"),
	JOBS_SIZE("jobs-size"),

	LETTERS_PUT("letters-put"), LETTERS_REMOVE("letters-remove"), LETTERS_LIST("letters-list"),
	LETTERS_SUMMARY("letters-summary");

	private final byte[] source;

	private final String digest;

	RedisScript(String name) {
		this.source = read("/META-INF/scripts/idempotency-" + name + ".lua");
		this.digest = Base16.digest(this.source);
	}

	byte[] source() {
		return this.source;
	}

	/** The name under which a server remembers a script. */
	String digest() {
		return this.digest;
	}

	private static byte[] read(String resource) {
		try (InputStream in = RedisScript.class.getResourceAsStream(resource)) {
			if (in == null) {
				throw new IllegalStateException(resource + " is missing from the class path");
			}
			return in.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(resource + " cannot be read", ex);
		}
	}

}
