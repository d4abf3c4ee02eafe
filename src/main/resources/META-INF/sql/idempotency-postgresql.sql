-- The one table of the PostgreSQL store. The gateway creates it itself unless idempotency.postgres.initialize-schema
-- is false; its role needs SELECT, INSERT, UPDATE and DELETE on it. Times are those of the database's clock.
create table idempotency_record (
	record_id  bytea       primary key, -- digest of the key's identity
	owner      bytea       not null,    -- token of the claim that wrote the record last
	state      smallint    not null,    -- 1 running, 2 done, 3 unknown, 4 queued, 5 cancelled, 6 failed; 0 is no record: a room that somebody is in, or a probe
	record     bytea       not null,    -- the same octets as in Redis
	lapses_at  timestamptz not null,    -- of a running claim: until when its owner is believed without a sign of life
	expires_at timestamptz not null
);

create index idempotency_record_expires_at on idempotency_record (expires_at);
