package dev.idempotency.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.store.DeadLetterCodec;
import dev.idempotency.store.UnreadableRecordException;

/**
 * Dead letters in Redis: one key for each and a sorted set of their names by time for all
 * and for each route, in one cluster slot, since there should be few.
 */
final class RedisDeadLetters implements DeadLetters {

	private static final Logger logger = LoggerFactory.getLogger(RedisDeadLetters.class);

	private final RedisLink link;

	private final String prefix;

	RedisDeadLetters(RedisLink link, String keyPrefix) {
		this.link = link;
		this.prefix = keyPrefix + "{dead-letters}";
	}

	@Override
	public Mono<Void> put(DeadLetter letter) {
		return this.link.limited(Mono.defer(() -> RedisWire.number(connection(), RedisScript.LETTERS_PUT, keys(letter),
				octets(letter.id()), RedisRecords.number(letter.time().toEpochMilli()), DeadLetterCodec.encode(letter),
				RedisRecords.number(RETENTION.toMillis()))))
			.then();
	}

	@Override
	public Mono<DeadLetter> find(String id) {
		return this.link
			.limited(Mono.defer(() -> RedisWire.send(connection(), () -> RedisWire.get(octets(letterKey(id))))))
			.flatMap((octets) -> Mono.justOrEmpty(decoded(id, octets)));
	}

	@Override
	public Mono<Boolean> remove(DeadLetter letter) {
		return this.link
			.limited(Mono.defer(() -> RedisWire.number(connection(), RedisScript.LETTERS_REMOVE, keys(letter),
					octets(letter.id()), RedisRecords.number(letter.time().toEpochMilli()))))
			.map((removed) -> removed == 1);
	}

	@Override
	public Mono<Page> list(@Nullable String route, long offset, int limit) {
		byte[] names = octets((route != null) ? routeKey(route) : this.prefix);
		return this.link
			.limited(Mono.defer(() -> RedisWire.list(connection(), RedisScript.LETTERS_LIST, names,
					RedisRecords.number(offset), RedisRecords.number(limit), tooOld())))
			.flatMap((reply) -> Flux.fromIterable(reply.subList(1, reply.size()))
				.concatMap((id) -> find(text(id)))
				.collectList()
				.map((letters) -> new Page(Long.parseLong(text(reply.get(0))), letters)));
	}

	@Override
	public Mono<Summary> summary() {
		return this.link
			.limited(Mono
				.defer(() -> RedisWire.list(connection(), RedisScript.LETTERS_SUMMARY, octets(this.prefix), tooOld())))
			.map((reply) -> {
				long count = (Long) reply.get(0);
				return (count == 0) ? Summary.NONE : new Summary(count, Instant.ofEpochMilli((Long) reply.get(1)));
			});
	}

	private StatefulConnection<byte[], byte[]> connection() {
		return this.link.session().connection();
	}

	private List<byte[]> keys(DeadLetter letter) {
		return List.of(octets(this.prefix), octets(routeKey(letter.job().route())), octets(letterKey(letter.id())));
	}

	private String routeKey(String route) {
		return this.prefix + ":route:" + route;
	}

	private String letterKey(String id) {
		return this.prefix + ":letter:" + id;
	}

	private static @Nullable DeadLetter decoded(String id, byte[] octets) {
		try {
			return DeadLetterCodec.decode(octets);
		}
		catch (UnreadableRecordException ex) {
			logger.error("The dead letter {} cannot be read: {}", id, ex.reason());
			return null;
		}
	}

	private static byte[] tooOld() {
		return RedisRecords.number(Instant.now().minus(RETENTION).toEpochMilli());
	}

	private static byte[] octets(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(Object octets) {
		return new String((byte[]) octets, StandardCharsets.UTF_8);
	}

}
