create table charts (
  chart_id integer generated always as identity primary key,
  country storefront not null,
  kind chart_kind not null,
  category_id integer not null,
  device device not null,
  newest_captured_at timestamptz(3) not null,
  unique (country, kind, category_id, device)
);

-- A snapshot is one row: the apps in the order of their ranks, null where Apple's entry could not be read. The key
-- covers what a history asks of snapshots, so a history of years never touches the wide rows.
create table chart_snapshots (
  chart_id integer not null references charts,
  captured_at timestamptz(3) not null,
  day date not null,
  returned smallint not null,
  requested smallint,
  store_ids bigint[] not null,
  reading_id uuid not null,
  -- Decides between captures of one instant that show the same (`Reading.key`).
  reading_key text collate "C" not null,
  -- How the capture was come by: source, origin and time basis of the reading, in one text.
  read_as text not null,
  -- What the entries say of their apps, as the bits of `listing_sightings`; entries that say something else, or nothing,
  -- stand apart and have rows of their own in `chart_sightings`.
  stated integer not null default 0,
  hinted integer not null default 0,
  apart bigint[],
  -- Whether the places came in parts, and those of them that another app or another place won: [place, app].
  in_parts boolean not null default false,
  beaten json,
  primary key (chart_id, captured_at) include (day, returned, read_as)
);

-- What snapshots do not tell of their entries by themselves: that an app was seen, as in `listing_sightings`.
create table chart_sightings (
  store_id bigint not null,
  country storefront not null,
  observed_at timestamptz(3) not null,
  stated integer not null,
  hinted integer not null,
  primary key (store_id, country, observed_at)
);

-- The same ranks turned around, for the history of one app. Hundreds of millions of rows: a partition a month, made
-- when its first snapshot arrives, and a key that answers alone.
create table chart_ranks (
  store_id bigint not null,
  captured_at timestamptz(3) not null,
  chart_id integer not null,
  rank smallint not null,
  primary key (store_id, chart_id, captured_at) include (rank)
) partition by range (captured_at);

-- The last try of each chart on the schedule: what came of it, and how often in a row it failed.
create table chart_attempts (
  country storefront not null,
  kind chart_kind not null,
  category_id integer not null,
  device device not null,
  last_at timestamptz(3) not null,
  outcome attempt_outcome not null,
  failures integer not null,
  message text,
  primary key (country, kind, category_id, device)
);

-- What discovery runs found on the rise, with the newest score of each. A run looks at one storefront and one category;
-- category 0 is the runs over all of them.
-- Runs with other windows keep scores of their own: how much an app rises depends on how many days are looked at.
create table emerging_apps (
  country storefront not null,
  category_id integer not null,
  store_id bigint not null,
  window_days smallint not null,
  run_id uuid not null,
  -- The name of what charts show, null for ratings alone; and the version of the formula behind the score.
  kind emerging_kind,
  formula text not null,
  score double precision not null,
  reasons jsonb not null,
  -- Readings that show it, with the instant each speaks about.
  evidence jsonb not null,
  first_seen_at timestamptz(3) not null,
  discovered_at timestamptz(3) not null,
  found_at timestamptz(3) not null,
  primary key (country, category_id, store_id, window_days)
);

create index emerging_apps_by_score on emerging_apps (country, category_id, window_days, score desc, store_id);
