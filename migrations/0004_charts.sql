create table charts (
  chart_id integer generated always as identity primary key,
  country text not null,
  kind text not null,
  category_id integer not null,
  device text not null,
  newest_captured_at timestamptz not null,
  unique (country, kind, category_id, device)
);

-- A snapshot is one row: the apps in the order of their ranks, null where Apple's entry could not be read. The key
-- covers what a history asks of snapshots, so it never touches the wide rows.
create table chart_snapshots (
  chart_id integer not null references charts,
  captured_at timestamptz not null,
  day date not null,
  returned smallint not null,
  requested smallint,
  store_ids bigint[] not null,
  reading_id uuid not null references readings,
  primary key (chart_id, captured_at) include (day, returned)
);

-- The same ranks turned around, for the history of one app. Hundreds of millions of rows: a partition a month, made
-- when its first snapshot arrives, and a key that answers alone.
create table chart_ranks (
  store_id bigint not null,
  captured_at timestamptz not null,
  chart_id integer not null,
  rank smallint not null,
  primary key (store_id, chart_id, captured_at) include (rank)
) partition by range (captured_at);
