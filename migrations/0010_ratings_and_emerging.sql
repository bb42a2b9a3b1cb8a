-- How often an app had been rated: the last observation of each UTC day on which a source stated a count. The record
-- holds the newest value only; growth needs the days between.
create table rating_observations (
  store_id bigint not null,
  country text not null,
  day date not null,
  observed_at timestamptz not null,
  rating_count bigint not null,
  rating double precision,
  reading_id uuid not null,
  primary key (store_id, country, day)
);

-- What discovery runs found on the rise, with the newest score of each. A run looks at one storefront and one category;
-- category 0 is the runs over all of them.
create table emerging_apps (
  country text not null,
  category_id integer not null,
  store_id bigint not null,
  run_id uuid not null,
  score double precision not null,
  reasons jsonb not null,
  -- Readings that show it, with the instant each speaks about.
  evidence jsonb not null,
  first_seen_at timestamptz not null,
  discovered_at timestamptz not null,
  found_at timestamptz not null,
  primary key (country, category_id, store_id)
);

create index emerging_apps_by_score on emerging_apps (country, category_id, score desc, store_id);

-- The apps that Apple shows beside an app, as the newest observation showed them.
create table apple_lists (
  store_id bigint not null,
  country text not null,
  kind text not null,
  position smallint not null,
  similar_id bigint not null,
  observed_at timestamptz not null,
  reading_id uuid not null,
  primary key (store_id, country, kind, position)
);

create index apple_lists_by_similar on apple_lists (similar_id, country);
