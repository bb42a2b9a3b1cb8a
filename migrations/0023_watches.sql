-- What accounts want to be told of, what there was to tell, and what became of telling it (docs/decisions/0048-watches.md).
-- All of it belongs to accounts, and stays with them on the coordinator of a cluster.
create domain watch_kind as text
  check (value in ('top', 'moved', 'chart', 'listing', 'release', 'ads', 'rising', 'source', 'import'));
create domain way_kind as text check (value in ('webhook', 'feed'));
create domain webhook_shape as text check (value in ('generic', 'slack', 'discord', 'teams'));
create domain delivery_state as text check (value in ('pending', 'delivered', 'dead'));

-- A watch that was removed stays, since its events do.
create table watches (
  watch_id uuid primary key,
  account_id uuid not null references accounts,
  kind watch_kind not null,
  -- As `WatchDefinition` reads it (src/domain/watches/watch.ts).
  definition jsonb not null,
  from_configuration boolean not null,
  -- Evidence of an earlier time is history and tells nothing.
  since timestamptz(3) not null default now(),
  evaluated_at timestamptz(3),
  last_error text,
  removed_at timestamptz(3)
);

create unique index watches_standing on watches (account_id, definition) where removed_at is null;

-- Up to which capture of each chart, and which page of each term, ranks were compared.
create table watch_places (
  watch_id uuid not null references watches,
  -- `chart <chart_id>` or `term <term_id>`.
  ranking text not null,
  captured_at timestamptz(3) not null,
  primary key (watch_id, ranking)
);

-- `event_key` is made of the evidence alone: whichever process finds it, and however often, it is one event.
create table watch_events (
  event_id uuid primary key,
  -- In the order in which events became visible, since they are recorded under one lock.
  event_number bigint generated always as identity unique,
  watch_id uuid not null references watches,
  account_id uuid not null references accounts,
  event_key text not null,
  kind watch_kind not null,
  title text not null,
  -- Where the page of the workstation is, from its root.
  page text not null,
  -- Readings and times that show it.
  evidence jsonb not null,
  observed_at timestamptz(3) not null,
  recorded_at timestamptz(3) not null default now(),
  unique (watch_id, event_key)
);

create index watch_events_of_account on watch_events (account_id, event_number desc);

-- Where an account is told. The secret of a webhook follows from that of the store and is not kept.
create table watch_ways (
  way_id uuid primary key,
  account_id uuid not null references accounts,
  kind way_kind not null,
  -- Null for a feed.
  address text,
  shape webhook_shape,
  -- SHA-256 of the token of a feed.
  token_hash bytea unique,
  created_at timestamptz(3) not null default now(),
  removed_at timestamptz(3),
  -- One process at a time sends by a way, until then.
  claimed_until timestamptz(3),
  failures integer not null default 0,
  retry_at timestamptz(3),
  last_error text,
  check ((kind = 'feed') = (address is null) and (kind = 'feed') = (token_hash is not null)
    and (kind = 'webhook') = (shape is not null))
);

create unique index watch_ways_standing on watch_ways (account_id, kind, address) where removed_at is null;

create table watch_deliveries (
  delivery_id uuid primary key,
  way_id uuid not null references watch_ways,
  event_id uuid not null references watch_events,
  state delivery_state not null default 'pending',
  attempts integer not null default 0,
  -- Attempts are given up some days after this.
  since timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  last_error text,
  unique (way_id, event_id)
);

create index watch_deliveries_open on watch_deliveries (way_id, since) where state = 'pending';

-- When an account wants to be told. Minutes after midnight in its time zone; nothing is sent between them.
create table watch_times (
  account_id uuid primary key references accounts,
  time_zone text not null,
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  check ((quiet_from is null) = (quiet_until is null))
);

-- The state of the store that all watches were evaluated for.
create table watch_state (
  only_one boolean primary key default true check (only_one),
  version text not null
);

comment on table watches is 'small: what accounts watch';
comment on table watch_places is 'small: rankings of watches';
comment on table watch_events is 'small: what accounts were told; those of a removed watch can be deleted with it';
comment on table watch_ways is 'small: where accounts are told';
comment on table watch_deliveries is 'small: as watch_events, for each way';
comment on table watch_times is 'small: accounts';
comment on table watch_state is 'small: one row';
