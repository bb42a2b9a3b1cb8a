-- What upstreams said, byte for byte, once per content. Already compressed by us, so PostgreSQL need not try.
create table payloads (
  payload_hash bytea not null,
  -- The first day of the month of the readings that hold it: what came in several months is kept in each of them.
  month date not null,
  content bytea not null,
  content_bytes integer not null,
  stored_at timestamptz(3) not null default now(),
  primary key (payload_hash, month)
) partition by range (month);

alter table payloads alter column content set storage external;

-- One reading says how a payload was come by and how it is to be understood; records are derived from readings, so
-- that a mended reader can derive them again.
create table readings (
  -- Of version 7: begins with the time at which it was stored, which decides the month it is kept with.
  reading_id uuid not null,
  payload_hash bytea not null,
  month date not null,
  format registered_name not null,
  source registered_name not null,
  origin origin not null,
  country storefront,
  observed_at timestamptz(3) not null,
  time_basis time_basis not null,
  context jsonb not null,
  -- As in `reading_identities`.
  identity bytea not null,
  -- Decides between readings that say the same of one instant (`Reading.key`).
  reading_key text collate "C" not null,
  records integer not null,
  rejected integer not null,
  stored_at timestamptz(3) not null default now(),
  -- Of readings that an account brought, and through which door. What was withdrawn is kept and derived from no longer.
  account_id uuid references accounts,
  door door,
  withdrawn_at timestamptz(3),
  primary key (reading_id, payload_hash)
) partition by range (reading_id);

-- What makes a reading the same as one stored before, in whatever month (src/ingest/reading-identity.ts): whoever adds it here
-- stores the reading.
create table reading_identities (
  identity bytea primary key,
  reading_id uuid not null
);

create index readings_payload on readings (payload_hash);
-- Who observed a listing at an instant: the timeline of a listing names the readings on both sides of a change.
create index readings_observed on readings (observed_at);
-- Searches for one term, newest first: whether a term had results before.
create index readings_by_term on readings (country, (context ->> 'term'), observed_at)
  where source in ('itunes-search', 'apple-search-hints');
-- Pages of a search of ads, newest first: whether it had ads before.
create index readings_by_ad_search on readings ((context ->> 'adSearch'), observed_at)
  where source in ('meta-ad-library', 'tiktok-ad-library');
create index readings_of_run on readings ((context ->> 'run')) where account_id is not null;
