-- The tables of the PostgreSQL store. The gateway creates them itself unless idempotency.postgres.initialize-schema
-- is false; its role needs SELECT, INSERT, UPDATE and DELETE on them. Times are those of the database's clock.
create table idempotency_record (
	record_id  bytea       primary key, -- digest of the key's identity
	owner      bytea       not null,    -- token of the claim that wrote the record last
	state      smallint    not null,    -- 1 running, 2 done, 3 unknown, 4 queued, 5 cancelled, 6 failed; 0 is no record: a room that somebody is in, or a probe
	record     bytea       not null,    -- the same octets as in Redis
	lapses_at  timestamptz not null,    -- of a running claim: until when its owner is believed without a sign of life
	expires_at timestamptz not null
);

create index idempotency_record_expires_at on idempotency_record (expires_at);

-- What waits in the queues of jobs, of all routes.
create table idempotency_record_tickets (
	ticket_id bigint      generated always as identity primary key,
	queue     text        not null, -- id of the route, or of its callbacks
	due_at    timestamptz not null, -- not taken before; a ticket that was taken is due again after a while
	ticket    text        not null  -- the job's id, tries, and milliseconds of the time it was first queued
);

create index idempotency_record_tickets_due_at on idempotency_record_tickets (queue, due_at, ticket_id);

-- What an operator is to decide about; deleted after 30 days.
create table idempotency_record_letters (
	letter_id   text        primary key, -- the job's id, with ".callback" behind it if it is about that
	route       text        not null,
	letter_time timestamptz not null,    -- by a gateway's clock: since when
	letter      bytea       not null     -- the same octets as in Redis
);

create index idempotency_record_letters_time on idempotency_record_letters (letter_time);
create index idempotency_record_letters_route on idempotency_record_letters (route, letter_time);
