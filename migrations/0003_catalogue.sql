-- The newest known value of every field of an app's listing in one storefront. `evidence` lists the readings behind it
-- and which fields each of them gave: a field no reading gave is not measured, a null field that one gave is absent.
-- Pages keep room: most updates say that the same was seen again, and then touch no index.
create table app_records (
  store_id bigint not null,
  country text not null,
  name text not null,
  sort_name text not null,
  subtitle text,
  developer text,
  developer_id bigint,
  seller text,
  seller_url text,
  bundle_id text,
  icon_url text,
  description text,
  release_notes text,
  version text,
  price double precision,
  currency text,
  primary_category_id integer,
  category_ids integer[],
  rating double precision,
  rating_count bigint,
  rating_current_version double precision,
  rating_count_current_version bigint,
  released_at timestamptz,
  updated_at timestamptz,
  size_bytes bigint,
  languages text[],
  minimum_os_version text,
  content_rating text,
  screenshots_iphone text[],
  screenshots_ipad text[],
  screenshots_tv text[],
  previews text[],
  first_observed_at timestamptz not null,
  last_observed_at timestamptz not null,
  since jsonb not null,
  evidence jsonb not null,
  primary key (store_id, country)
) with (fillfactor = 85);

-- The orders in which a storefront can be walked without a text; each ends with the id, so that pages hold still.
create index app_records_by_rating_count on app_records (country, (coalesce(rating_count, -1)), store_id);
create index app_records_by_rating on app_records (country, (coalesce(rating, -1)), store_id);
create index app_records_by_release on app_records (country, (coalesce(released_at, '-infinity')), store_id);
create index app_records_by_update on app_records (country, (coalesce(updated_at, '-infinity')), store_id);
create index app_records_by_name on app_records (country, sort_name collate "C", store_id);
create index app_records_by_category on app_records using gin (category_ids);
create index app_records_by_developer_id on app_records (developer_id);
create index app_records_by_developer on app_records (developer);
create index app_records_by_bundle on app_records (lower(bundle_id));

-- Values that a listing field had, kept only for fields that were seen to change. The times are sightings.
create table listing_versions (
  store_id bigint not null,
  country text not null,
  field text not null,
  value text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (store_id, country, field, first_seen_at)
);

-- What search looks through: one row an app, all storefronts together, in tiers of how established the app is. A
-- search walks the tiers from the top and stops when it has enough, which bounds it at any size of the catalogue.
create table app_search (
  store_id bigint not null,
  tier smallint not null,
  name_terms tsvector not null,
  all_terms tsvector not null,
  primary key (store_id, tier)
) partition by list (tier);

create table app_search_0 partition of app_search for values in (0);
create table app_search_1 partition of app_search for values in (1);
create table app_search_2 partition of app_search for values in (2);
create table app_search_3 partition of app_search for values in (3);
create table app_search_4 partition of app_search for values in (4);

create index app_search_by_name on app_search using gin (name_terms);
create index app_search_by_all on app_search using gin (all_terms);

-- Words of names and developers, each with itself less one letter: two words one slip apart share an entry.
create table search_words (
  word text primary key,
  slips text[] not null
);

create index search_words_by_slip on search_words using gin (slips);
