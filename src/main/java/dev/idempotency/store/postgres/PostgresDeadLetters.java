package dev.idempotency.store.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.r2dbc.spi.Row;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.store.DeadLetterCodec;
import dev.idempotency.store.UnreadableRecordException;

/** Dead letters in PostgreSQL: one row each. */
final class PostgresDeadLetters implements DeadLetters {

	private static final Log log = LogFactory.getLog(PostgresDeadLetters.class);

	private final PostgresLink link;

	private final PostgresLetterSql sql;

	PostgresDeadLetters(PostgresLink link) {
		this.link = link;
		this.sql = new PostgresLetterSql(link.schema().letters());
	}

	@Override
	public Mono<Void> put(DeadLetter letter) {
		return this.link
			.limited(this.link.run(this.sql.put(), (row) -> true, letter.id(), letter.job().route(),
					letter.time().toEpochMilli(), DeadLetterCodec.encode(letter)))
			.then();
	}

	@Override
	public Mono<DeadLetter> find(String id) {
		return isNoText(id) ? Mono.empty()
				: this.link.limited(this.link.run(this.sql.find(), PostgresDeadLetters::decoded, id, oldest()))
					.flatMap(Mono::justOrEmpty);
	}

	@Override
	public Mono<Boolean> remove(DeadLetter letter) {
		return this.link
			.limited(this.link.run(this.sql.remove(), (row) -> true, letter.id(), letter.time().toEpochMilli()))
			.defaultIfEmpty(false);
	}

	@Override
	public Mono<Page> list(@Nullable String route, long offset, int limit) {
		if (route != null && isNoText(route)) {
			return Mono.just(new Page(0, List.of()));
		}
		Object[] values = (route != null) ? new Object[] { oldest(), offset, (long) limit, route }
				: new Object[] { oldest(), offset, (long) limit };
		return this.link.limited(this.link.list(this.sql.list(route != null), Line::of, values))
			.map((lines) -> new Page(lines.isEmpty() ? 0 : lines.get(0).total(),
					lines.stream().map(Line::letter).flatMap(Optional::stream).toList()));
	}

	@Override
	public Mono<Summary> summary() {
		return this.link.limited(this.link.run(this.sql.summary(), PostgresDeadLetters::summary, oldest()));
	}

	/** PostgreSQL refuses this character in a text, so nothing has such a name. */
	private static boolean isNoText(String name) {
		return name.indexOf('\0') >= 0;
	}

	/** Deletes some letters whose time is over. */
	Mono<Long> sweep(int atMost) {
		return this.link.run(this.sql.sweep(), (row) -> count(row, 0), oldest(), (long) atMost);
	}

	/** A letter's time is by the clock of a gateway, and so is its end. */
	private static long oldest() {
		return Instant.now().minus(RETENTION).toEpochMilli();
	}

	private static Summary summary(Row row) {
		Long oldest = row.get(1, Long.class);
		return (oldest != null) ? new Summary(count(row, 0), Instant.ofEpochMilli(oldest)) : Summary.NONE;
	}

	private static long count(Row row, int index) {
		return Objects.requireNonNull(row.get(index, Long.class));
	}

	private static Optional<DeadLetter> decoded(Row row) {
		byte[] octets = row.get(1, byte[].class);
		if (octets == null) {
			return Optional.empty();
		}
		try {
			return Optional.of(DeadLetterCodec.decode(octets));
		}
		catch (UnreadableRecordException ex) {
			log.error("The dead letter " + row.get(0, String.class) + " cannot be read: " + ex.reason());
			return Optional.empty();
		}
	}

	/** One letter of a page, or none where the page is empty. */
	private record Line(long total, Optional<DeadLetter> letter) {

		static Line of(Row row) {
			return new Line(count(row, 2), decoded(row));
		}

	}

}
