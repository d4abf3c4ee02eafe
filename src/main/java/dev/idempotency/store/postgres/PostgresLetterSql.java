package dev.idempotency.store.postgres;

/**
 * The statements for dead letters. Their times come and go as milliseconds since 1970.
 */
final class PostgresLetterSql {

	private static final String TIME = "timestamptz 'epoch' + $%d * interval '1 millisecond'";

	private final String table;

	PostgresLetterSql(String table) {
		this.table = table;
	}

	/** In the place of an older one. */
	String put() {
		return """
				insert into %s (letter_id, route, letter_time, letter) values ($1, $2, %s, $4)
				on conflict (letter_id) do update set route = excluded.route, letter_time = excluded.letter_time,
					letter = excluded.letter
				returning 1""".formatted(this.table, TIME.formatted(3));
	}

	String find() {
		return "select letter_id, letter from %s where letter_id = $1 and letter_time >= %s".formatted(this.table,
				TIME.formatted(2));
	}

	String remove() {
		return "delete from %s where letter_id = $1 and letter_time = %s returning 1".formatted(this.table,
				TIME.formatted(2));
	}

	/** At least one row, which says how many there are in all. */
	String list(boolean ofRoute) {
		String kept = "letter_time >= " + TIME.formatted(1) + (ofRoute ? " and route = $4" : "");
		return """
				select page.letter_id, page.letter, counted.total
				from (select count(*) as total from %s where %s) as counted
				left join (
					select letter_id, letter, letter_time from %s where %s
					order by letter_time desc, letter_id offset $2 limit $3) as page on true
				order by page.letter_time desc, page.letter_id""".formatted(this.table, kept, this.table, kept);
	}

	String summary() {
		return "select count(*), (extract(epoch from min(letter_time)) * 1000)::bigint from %s where letter_time >= %s"
			.formatted(this.table, TIME.formatted(1));
	}

	String sweep() {
		return """
				with old as materialized (
					select letter_id from %s where letter_time < %s limit $2 for update skip locked),
				gone as (delete from %s l using old where l.letter_id = old.letter_id returning 1)
				select count(*) from gone""".formatted(this.table, TIME.formatted(1), this.table);
	}

}
