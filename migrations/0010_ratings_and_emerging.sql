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
