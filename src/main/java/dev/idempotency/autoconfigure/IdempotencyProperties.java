package dev.idempotency.autoconfigure;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.idempotency.store.RecordCipher;
import dev.idempotency.store.RecordPacking;
import dev.idempotency.store.postgres.PostgresStoreSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the whole gateway. What one route may have of its own is a policy, see
 * {@link PolicyFactory}. A name below {@code idempotency} that is not listed here stops
 * the start.
 *
 * @param enabled Whether the filter does anything. Where it does not, requests pass
 * through unprotected and are marked so.
 * @param store Where records are kept: memory (one instance, forgets at a restart),
 * redis, postgres, or tiered, which is Redis in front of PostgreSQL.
 * @param policies Policies by name. Each takes the fields listed for 'default', which
 * always exists; none inherits from another.
 * @param problemBaseUri What is put in front of a problem's code to make its type.
 * @param documentationUri Where clients read about the rules. By default the gateway's
 * own page, /.well-known/idempotency.
 * @param maxBuffered Most bytes of request and response bodies held at once, all routes
 * together. By default a quarter of the heap.
 * @param settleBacklog Most bytes of outcomes that wait for an unreachable store. Beyond
 * it their bodies are dropped.
 * @param redis Settings of the Redis store.
 * @param postgres Settings of the PostgreSQL store.
 * @param memory Settings of the memory store.
 * @param replay What a replay shows of the first answer.
 * @param compression How answers are kept small.
 * @param encryption How answers, and requests of jobs, are kept secret.
 * @param jobs Settings of jobs.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = IdempotencyProperties.PREFIX, ignoreUnknownFields = false)
public record IdempotencyProperties(@DefaultValue("true") boolean enabled, @DefaultValue("memory") Store store,
		@DefaultValue Map<String, Map<String, String>> policies,
		@DefaultValue("urn:idempotency-gateway:problem:") String problemBaseUri, @Nullable URI documentationUri,
		@Nullable DataSize maxBuffered, @DefaultValue("64MB") DataSize settleBacklog, @DefaultValue RedisStore redis,
		@DefaultValue PostgresStore postgres, @DefaultValue MemoryStore memory, @DefaultValue Replay replay,
		@DefaultValue Compression compression, @DefaultValue Encryption encryption, @DefaultValue JobSettings jobs) {

	/** What all settings begin with. */
	public static final String PREFIX = "idempotency";

	private static final int SHARE_OF_HEAP = 4;

	private static final Checks CHECKS = Checks.ofSettings();

	public IdempotencyProperties {
		CHECKS.uriPrefix("problem-base-uri", problemBaseUri);
		if (maxBuffered != null) {
			CHECKS.size("max-buffered", maxBuffered, DataSize.ofKilobytes(1));
		}
		CHECKS.size("settle-backlog", settleBacklog, DataSize.ofBytes(0));
	}

	/** Most bytes of bodies held at once. */
	public long maxBufferedBytes() {
		return (this.maxBuffered != null) ? this.maxBuffered.toBytes()
				: Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
	}

	/** In which form answers and requests are kept. */
	public RecordPacking packing() {
		return new RecordPacking(this.compression.enabled(), this.encryption.cipher());
	}

	/** What policies say may be secret; their names are not. */
	@Override
	public String toString() {
		return "IdempotencyProperties[enabled=" + this.enabled + ", store=" + this.store + ", policies="
				+ this.policies.keySet() + "]";
	}

	/** Where records are kept. */
	public enum Store {

		MEMORY, REDIS, POSTGRES, TIERED;

		/** Whether records outlive a restart of what keeps them. */
		boolean isDurable() {
			return this == POSTGRES || this == TIERED;
		}

	}

	/**
	 * Settings of the Redis store. The connection is Boot's own
	 * ({@code spring.data.redis.*}).
	 *
	 * @param timeout Time limit of one step, its second command included.
	 * @param replicas Replicas that must have a claim before the request is forwarded.
	 * @param keyPrefix What every key begins with. Give each environment that shares a
	 * Redis its own.
	 */
	public record RedisStore(@DefaultValue("250ms") Duration timeout, @DefaultValue("0") int replicas,
			@DefaultValue("idempotency:") String keyPrefix) {

		public RedisStore {
			CHECKS.duration("redis.timeout", timeout, Duration.ofMillis(1));
			CHECKS.range("redis.replicas", replicas, 0, 100);
			CHECKS.withoutBraces("redis.key-prefix", keyPrefix);
		}
	}

	/**
	 * Settings of the PostgreSQL store. The connection is Boot's own
	 * ({@code spring.r2dbc.*}).
	 *
	 * @param timeout Time limit of one step: the wait for a connection, its statements
	 * and their commits.
	 * @param table Name of the table, which may have a schema in front of it.
	 * @param initializeSchema Whether the gateway creates a table that is not there.
	 */
	public record PostgresStore(@DefaultValue("1s") Duration timeout, @DefaultValue("idempotency_record") String table,
			@DefaultValue("true") boolean initializeSchema) {

		public PostgresStore {
			CHECKS.duration("postgres.timeout", timeout, Duration.ofMillis(1));
			if (!PostgresStoreSettings.isTable(table)) {
				throw CHECKS.refuse("postgres.table", table,
						"letters, digits and '_', at most 48, and a schema in front");
			}
		}
	}

	/**
	 * Settings of the memory store.
	 *
	 * @param maxSize Most bytes that records may occupy. A full store drops the bodies of
	 * the oldest answers, then refuses new keys.
	 */
	public record MemoryStore(@DefaultValue("128MB") DataSize maxSize) {

		public MemoryStore {
			CHECKS.size("memory.max-size", maxSize, DataSize.ofKilobytes(1));
		}
	}

	/**
	 * What a replay shows of the first answer.
	 *
	 * @param dropHeaders Further response headers that are not put on record, besides
	 * those that never are. A name may end in '*'.
	 * @param keepHeaders Response headers that are put on record although they are left
	 * out otherwise, for instance X-Request-Id. Hop-by-hop headers cannot be kept.
	 */
	public record Replay(@DefaultValue List<String> dropHeaders, @DefaultValue List<String> keepHeaders) {

		public Replay {
			CHECKS.headerNames("replay.drop-headers", dropHeaders);
			CHECKS.headerNames("replay.keep-headers", keepHeaders);
			dropHeaders = List.copyOf(dropHeaders);
			keepHeaders = List.copyOf(keepHeaders);
		}
	}

	/**
	 * How answers are kept small.
	 *
	 * @param enabled Whether bodies of text above 1 KiB are kept compressed (gzip) where
	 * that makes them smaller.
	 */
	public record Compression(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * How answers, and requests of jobs, are kept secret: by AES-256-GCM, each record
	 * under a key of its own.
	 *
	 * @param active Name of the key that encrypts what is written from now on. Without it
	 * records are in the clear.
	 * @param keys Keys by name, each 32 octets in Base64. All of them can be read.
	 */
	public record Encryption(@Nullable String active, @DefaultValue Map<String, String> keys) {

		private static final String ACCEPTED = "32 octets in Base64, for instance from 'openssl rand -base64 32'";

		public Encryption {
			keys = Map.copyOf(keys);
			keys.forEach((name, key) -> {
				if (octets(key).length != RecordCipher.KEY_LENGTH) {
					throw CHECKS.refuse("encryption.keys." + name, "is no key; accepted: " + ACCEPTED);
				}
			});
			refuseTwins(keys);
			if (active != null && !keys.containsKey(active)) {
				throw CHECKS.refuse("encryption.active", active,
						"the name of one of encryption.keys, which are " + Printed.of(new TreeSet<>(keys.keySet())));
			}
		}

		/** Whoever changes the key and writes the old one again has not changed it. */
		private static void refuseTwins(Map<String, String> keys) {
			Map<ByteBuffer, String> names = new HashMap<>();
			new TreeMap<>(keys).forEach((name, key) -> {
				String twin = names.put(ByteBuffer.wrap(octets(key)), name);
				if (twin != null) {
					throw CHECKS.refuse("encryption.keys." + name,
							"is the same key as " + twin + "; accepted: keys that differ");
				}
			});
		}

		/** Whether there are keys, and none to write with. */
		boolean isReadOnly() {
			return this.active == null && !this.keys.isEmpty();
		}

		/** What encrypts so. */
		public RecordCipher cipher() {
			Map<String, byte[]> octets = new HashMap<>();
			this.keys.forEach((name, key) -> octets.put(name, octets(key)));
			return new RecordCipher(this.active, octets);
		}

		private static byte[] octets(String key) {
			try {
				return Base64.getDecoder().decode(key.strip());
			}
			catch (IllegalArgumentException ex) {
				return new byte[0];
			}
		}

		/** Keys are nobody's business. */
		@Override
		public String toString() {
			return "Encryption[active=" + this.active + ", keys=" + this.keys.keySet() + "]";
		}
	}

	/**
	 * Settings of jobs.
	 *
	 * @param path Where clients find their jobs.
	 * @param callback How the ends of jobs are posted.
	 */
	public record JobSettings(@DefaultValue("/idempotency/jobs") String path, @DefaultValue Callback callback) {

		public JobSettings {
			CHECKS.path("jobs.path", path);
		}
	}

	/**
	 * How the ends of jobs are posted.
	 *
	 * @param timeout Time limit of one post.
	 * @param maxAttempts Posts in all, before it becomes a dead letter.
	 * @param backoff Pause after the first failure. It doubles with each, up to ten
	 * minutes.
	 */
	public record Callback(@DefaultValue("10s") Duration timeout, @DefaultValue("8") int maxAttempts,
			@DefaultValue("1s") Duration backoff) {

		public Callback {
			CHECKS.duration("jobs.callback.timeout", timeout, Duration.ofMillis(1));
			CHECKS.range("jobs.callback.max-attempts", maxAttempts, 1, 100);
			CHECKS.duration("jobs.callback.backoff", backoff, Duration.ofMillis(1));
		}
	}

}
