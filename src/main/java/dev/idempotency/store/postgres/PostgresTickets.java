package dev.idempotency.store.postgres;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.r2dbc.spi.Row;
import reactor.core.publisher.Mono;

import dev.idempotency.core.JobQueue.Taken;
import dev.idempotency.core.JobTicket;
import dev.idempotency.store.JobTickets;
import dev.idempotency.store.RecordCodec;

/**
 * Single steps on tickets: one statement each. A ticket that was taken is one that is due
 * later; nobody has to notice that its worker died.
 */
final class PostgresTickets {

	private static final String AFTER = "clock_timestamp() + $%d * interval '1 millisecond'";

	private final PostgresLink link;

	private final String table;

	PostgresTickets(PostgresLink link) {
		this.link = link;
		this.table = link.schema().tickets();
	}

	/** Queues a ticket. */
	Mono<Void> add(String queue, JobTicket ticket, Duration delay) {
		return this.link
			.limited(this.link.run(
					"insert into %s (queue, due_at, ticket) values ($1, %s, $2) returning ticket_id"
						.formatted(this.table, AFTER.formatted(3)),
					PostgresTickets::handle, queue, JobTickets.write(ticket), RecordCodec.millis(delay)))
			.then();
	}

	/**
	 * Queues a ticket that is due at once if there is room for it. Those who come at the
	 * same moment do not see each other, so that there may be a few more than that.
	 * @return its handle; empty if there is no room
	 */
	Mono<String> addWithin(String queue, JobTicket ticket, int limit) {
		return this.link.limited(this.link.run("""
				insert into %s (queue, due_at, ticket) select $1, clock_timestamp(), $2
				where (select count(*) < $3 from (select from %s where queue = $1 limit $3) as waiting)
				returning ticket_id""".formatted(this.table, this.table), PostgresTickets::handle, queue,
				JobTickets.write(ticket), (long) limit));
	}

	/** The time of the statement's start lets the index be used. */
	Mono<List<Taken>> take(String queue, int atMost, Duration hold) {
		return this.link.limited(this.link.list(
				"""
						with due as materialized (
							select ticket_id, due_at from %s where queue = $1 and due_at <= statement_timestamp()
							order by due_at, ticket_id limit $2 for update skip locked),
						taken as (
							update %s as t set due_at = %s from due where t.ticket_id = due.ticket_id
							returning t.ticket_id, due.due_at as was_due_at, t.ticket)
						select ticket_id, ticket from taken order by was_due_at, ticket_id""".formatted(this.table,
						this.table, AFTER.formatted(3)),
				PostgresTickets::taken, queue, (long) atMost, RecordCodec.millis(hold)))
			.map((rows) -> rows.stream().flatMap(List::stream).toList());
	}

	/** Under a handle of its own: whoever took the old one late has nothing to say. */
	Mono<Void> replace(String handle, JobTicket instead, Duration delay) {
		return this.link.limited(this.link.run("""
				with gone as (delete from %s where ticket_id = $1 returning queue)
				insert into %s (queue, due_at, ticket) select queue, %s, $2 from gone
				returning ticket_id""".formatted(this.table, this.table, AFTER.formatted(3)), PostgresTickets::handle,
				Long.parseLong(handle), JobTickets.write(instead), RecordCodec.millis(delay)))
			.then();
	}

	Mono<Void> remove(String handle) {
		return this.link
			.limited(this.link.run("delete from %s where ticket_id = $1 returning ticket_id".formatted(this.table),
					PostgresTickets::handle, Long.parseLong(handle)))
			.then();
	}

	Mono<Long> count(String queue) {
		return this.link.limited(this.link.run("select count(*) from %s where queue = $1".formatted(this.table),
				(row) -> Objects.requireNonNull(row.get(0, Long.class)), queue));
	}

	private static String handle(Row row) {
		return String.valueOf(row.get(0, Long.class));
	}

	/** None for what is no ticket. */
	private static List<Taken> taken(Row row) {
		JobTicket ticket = JobTickets.read(String.valueOf(row.get(1, String.class)));
		return (ticket != null) ? List.of(new Taken(ticket, handle(row))) : List.of();
	}

}
