-- What upstreams said, byte for byte, once per content. Already compressed by us, so PostgreSQL need not try.
create table payloads (
  payload_hash bytea primary key,
  content bytea not null,
  content_bytes integer not null,
  stored_at timestamptz not null default now()
);

alter table payloads alter column content set storage external;

-- One reading says how a payload was come by and how it is to be understood; records are derived from readings, so
-- that a mended reader can derive them again.
create table readings (
  reading_id uuid primary key,
  payload_hash bytea not null references payloads,
  format text not null,
  source text not null,
  origin text not null,
  country text,
  observed_at timestamptz not null,
  time_basis text not null,
  context jsonb not null,
  identity bytea not null unique,
  records integer not null,
  rejected integer not null,
  stored_at timestamptz not null default now()
);

create index readings_payload on readings (payload_hash);
