package dev.idempotency.store.postgres;

/**
 * The statements of the store. Time is the database's throughout:
 * {@code clock_timestamp()}, since {@code now()} stands still while a statement waits for
 * a lock.
 *
 * <p>
 * A record is always written by the same eight values: its id, its owner, its state, its
 * octets, the milliseconds until its lease lapses and until it expires, and what a
 * condition compares.
 */
final class PostgresSql {

	private static final String LAPSES = "clock_timestamp() + $5 * interval '1 millisecond'";

	private static final String EXPIRES = "clock_timestamp() + $6 * interval '1 millisecond'";

	private static final String REMAINING = "(extract(epoch from expires_at - clock_timestamp()) * 1000)::bigint";

	private static final String LIVES = "expires_at > clock_timestamp()";

	private final String table;

	private final String tickets;

	private final long sweepLock;

	PostgresSql(PostgresSchema schema) {
		this.table = schema.table();
		this.tickets = schema.tickets();
		this.sweepLock = schema.sweepLock();
	}

	/**
	 * One round trip, whatever is met: what stands there, or a row without octets if the
	 * claim stands there now. No row at all says that somebody else came in between. A
	 * record that is met is neither locked nor written.
	 */
	String claim() {
		return """
				with present as materialized (
					select record, %s as remaining from %s where record_id = $1 and %s),
				written as (
					insert into %s as r (record_id, owner, state, record, lapses_at, expires_at)
					select $1, $2, $3, $4, %s, %s where not exists (select from present)
					%s returning 1)
				select record, remaining from present union all select null, null from written""".formatted(REMAINING,
				this.table, LIVES, this.table, LAPSES, EXPIRES, onConflict(""));
	}

	/**
	 * A claim and the ticket of its job in one step, if the queue has room for it. What
	 * stands there is found whether it has or not; the last column says which.
	 */
	String submit() {
		return """
				with present as materialized (
					select record, %s as remaining from %s where record_id = $1 and %s),
				room as materialized (
					select count(*) < $9 as there_is from (select from %s where queue = $7 limit $9) as waiting),
				written as (
					insert into %s as r (record_id, owner, state, record, lapses_at, expires_at)
					select $1, $2, $3, $4, %s, %s
					where not exists (select from present) and (select there_is from room)
					%s returning 1),
				ticket as (
					insert into %s (queue, due_at, ticket) select $7, clock_timestamp(), $8 from written)
				select record, remaining, true from present
				union all select null, null, true from written
				union all select null, null, false from room
					where not there_is and not exists (select from present)""".formatted(REMAINING, this.table, LIVES,
				this.tickets, this.table, LAPSES, EXPIRES, onConflict(""), this.tickets);
	}

	/** Value and remaining life in one step. */
	String look() {
		return "select record, %s from %s where record_id = $1 and %s".formatted(REMAINING, this.table, LIVES);
	}

	/** Writes where nothing stands. */
	String write() {
		return insert("");
	}

	/** Writes in the place of an unknown outcome or a job at rest of a certain owner. */
	String takeOver() {
		return insert(" or r.owner = $7 and (r.state = 3 or r.state = 1 and r.lapses_at < clock_timestamp()"
				+ " or r.state > 3 and r.state = $8) or r.owner = excluded.owner and r.state = excluded.state");
	}

	/**
	 * Writes an outcome over one's own claim. Nothing that comes later is truer than
	 * done: a late "unknown" of the same owner must not take it back.
	 */
	String settle() {
		return insert(" or r.owner = excluded.owner and r.state <> 2");
	}

	/** Writes over a record that is still as it was seen. */
	String replace() {
		return update("state = $8");
	}

	/** Writes over a claim, its own or that of a job, which its owner has not settled. */
	String replaceClaim() {
		return update("state in (1, 4)");
	}

	/** A sign of life: no octet of the record changes. */
	String renew() {
		return """
				update %s set lapses_at = clock_timestamp() + $3 * interval '1 millisecond',
					expires_at = clock_timestamp() + $4 * interval '1 millisecond'
				where record_id = $1 and owner = $2 and state = 1 and %s returning 1""".formatted(this.table, LIVES);
	}

	/** Deletes one's own claim, and never an outcome. */
	String release() {
		return delete("state in (1, 4)");
	}

	/** Deletes a record whose operation does not run. */
	String forget() {
		return delete("(state <> 1 or lapses_at < clock_timestamp())");
	}

	/** Leaves a room. */
	String leave() {
		return delete("state = 0");
	}

	/** Whether a record has a certain owner. */
	String owns() {
		return "select owner = $2 from %s where record_id = $1 and %s".formatted(this.table, LIVES);
	}

	/**
	 * Deletes a few expired rows, unless another gateway is at it. The time of the
	 * statement's start lets the index be used; a row that was renewed meanwhile is
	 * looked at again under its lock.
	 */
	String sweep() {
		return """
				with alone as materialized (select pg_try_advisory_xact_lock(%d) as it),
				old as materialized (
					select record_id from %s where (select it from alone) and expires_at < statement_timestamp()
					limit $1 for update skip locked),
				gone as (delete from %s r using old where r.record_id = old.record_id returning 1)
				select count(*) from gone""".formatted(this.sweepLock, this.table, this.table);
	}

	/** What is to be known of the server, and whether the tables are there. */
	String facts() {
		return """
				select current_setting('server_version'), current_setting('synchronous_commit'),
					current_setting('transaction_read_only') = 'on',
					(select count(*) from pg_stat_replication),
					(select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')),
					to_regclass($1) is not null and to_regclass($2) is not null and to_regclass($3) is not null""";
	}

	private String insert(String orCondition) {
		return """
				insert into %s as r (record_id, owner, state, record, lapses_at, expires_at)
				values ($1, $2, $3, $4, %s, %s)
				%s returning 1""".formatted(this.table, LAPSES, EXPIRES, onConflict(orCondition));
	}

	/** What has expired does not stand there any more, swept or not. */
	private static String onConflict(String orCondition) {
		return """
				on conflict (record_id) do update set owner = excluded.owner, state = excluded.state,
					record = excluded.record, lapses_at = excluded.lapses_at, expires_at = excluded.expires_at
				where r.expires_at <= clock_timestamp()""" + orCondition;
	}

	private String update(String condition) {
		return """
				update %s set owner = $2, state = $3, record = $4, lapses_at = %s, expires_at = %s
				where record_id = $1 and owner = $7 and %s and %s returning 1""".formatted(this.table, LAPSES, EXPIRES,
				condition, LIVES);
	}

	private String delete(String condition) {
		return "delete from %s where record_id = $1 and owner = $2 and %s returning 1".formatted(this.table, condition);
	}

}
