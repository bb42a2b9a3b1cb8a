-- Work that takes time: what was asked for, how far it is and how it ended. The queue beside it only knows what to do
-- next; this is what people are told.
create table work (
  work_id uuid primary key,
  kind registered_name not null,
  -- What it is about: asking again for the same while it is under way answers the same work.
  subject text not null,
  input jsonb not null,
  status work_state not null,
  done integer,
  total integer,
  unit text,
  result jsonb not null default '{}',
  -- Each has a number; only the newest may tell how far it is and how it ended.
  attempts integer not null default 0,
  -- How many in a row ended with their process and got no further than the one before.
  interrupted integer not null default 0,
  last_error_at timestamptz(3),
  last_error_code text,
  last_error_message text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3)
);

create unique index work_under_way on work (kind, subject) where status in ('queued', 'running');
create index work_newest on work (kind, subject, work_id desc);
-- The newest discovery run is looked for whatever its window and limit.
create index work_discoveries on work ((input ->> 'country'), (coalesce(input ->> 'categoryId', '0')), work_id desc)
  where kind = 'emerging-discovery';

-- Work is shared by all accounts that ask for the same; that somebody asked for it is told to nobody else. Without an
-- account it is the installation's own, and told to everybody.
create table work_requesters (
  work_id uuid not null references work on delete cascade,
  account_id uuid references accounts,
  -- What it is about, as this account named it.
  asked_as text,
  unique nulls not distinct (work_id, account_id)
);

-- When an upstream may be asked next, kept by all processes together. A hold is what a throttling upstream asked for.
create table upstream_rate_limits (
  upstream registered_name primary key,
  next_at timestamptz(3) not null,
  held_until timestamptz(3)
);

-- How each source fares in each storefront. Since when it fails is the first failure after the last success.
create table source_health (
  source registered_name not null,
  country storefront_or_none not null,
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  failures integer not null default 0,
  last_failure_at timestamptz(3),
  failure_kind failure_kind,
  failure_message text,
  primary key (source, country)
);

-- Answers that held nothing where earlier ones held something. They are no evidence of absence.
create table suspect_answers (
  source registered_name not null,
  country storefront not null,
  subject text not null,
  observed_at timestamptz(3) not null,
  day date not null,
  reading_id uuid not null,
  -- Every empty answer is noted, since what makes it suspect, an earlier one that held something, may arrive later.
  suspect boolean not null default true,
  -- Whether a later answer held something again.
  cleared boolean not null default false,
  primary key (country, subject, observed_at)
);

create index suspect_answers_open on suspect_answers (country, subject) where not cleared;

-- What accounts wish to know about apps. Demand only: nothing here starts collecting. One row for each wish, however
-- often it is asked; `store_id` is text because people may name numbers that no app has and no bigint holds.
create table data_requests (
  request_id uuid primary key,
  account_id uuid not null references accounts,
  store_id text not null,
  country storefront not null,
  kind data_kind not null,
  status request_status not null default 'open',
  demand integer not null default 1,
  first_requested_at timestamptz(3) not null default now(),
  last_requested_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  note text,
  dismissal_reason text,
  unique (account_id, store_id, country, kind)
);

-- Evidence that arrives looks here for whoever waits for it.
create index data_requests_open on data_requests (store_id, country, kind) where status = 'open';
