-- The newest known value of every field of an app's listing in one storefront. `evidence` lists the readings behind it
-- and which fields each of them gave: a field no reading gave is not measured, a null field that one gave is absent.
-- Pages keep room: most updates say that the same was seen again, and then touch no index.
create table app_records (
  store_id bigint not null,
  country storefront not null,
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
  price numeric,
  currency text,
  primary_category_id integer,
  category_ids integer[],
  rating double precision,
  rating_count bigint,
  rating_current_version double precision,
  rating_count_current_version bigint,
  released_at timestamptz(3),
  updated_at timestamptz(3),
  size_bytes bigint,
  languages text[],
  minimum_os_version text,
  content_rating text,
  screenshots_iphone text[],
  screenshots_ipad text[],
  screenshots_tv text[],
  previews text[],
  -- What the page of an app tells in its information, beside what Lookup tells.
  in_app_purchases jsonb,
  compatibility jsonb,
  languages_shown text,
  size_shown text,
  copyright text,
  first_observed_at timestamptz(3) not null,
  last_observed_at timestamptz(3) not null,
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
  country storefront not null,
  field listing_field not null,
  value text,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  primary key (store_id, country, field, first_seen_at)
);

-- At which instants a listing was observed, and which of the fields whose changes are kept it showed: the bits that
-- `trackedFields` gives them (domain/catalogue/listing.ts). What was stated and what was only hinted counts apart. The values
-- stand in app_records and listing_versions; with these instants a value that arrives late parts a version where it was
-- really seen. Charts have no rows here: they tell themselves when they showed an app.
create table listing_sightings (
  store_id bigint not null,
  country storefront not null,
  observed_at timestamptz(3) not null,
  stated integer not null,
  hinted integer not null,
  primary key (store_id, country, observed_at)
);

-- What search looks through: one row an app, all storefronts together, in tiers of how established the app is. A
-- search walks the tiers from the top and stops when it has enough, which bounds it at any size of the catalogue. A term
-- `#c`, the country, the tier says which storefronts have a record of it, and its tier there.
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
  word text collate "C" primary key,
  deletion_variants text[] collate "C" not null
);

create index search_words_by_deletion_variant on search_words using gin (deletion_variants);

-- Words of descriptions: a word one slip away has the same beginning or the same end.
create table described_words (
  word text collate "C" primary key
);

create index described_words_by_end on described_words (reverse(word) collate "C");

-- In how many stored listings a word stands, of those that were looked at: what a word says about an app depends on how
-- many others hold it. Words of one listing alone are left out; `word_weight_runs` says what was looked at.
create table word_weights (
  word text collate "C" primary key,
  listings integer not null
);

create table word_weight_runs (
  only_one boolean primary key default true check (only_one),
  computed_at timestamptz(3) not null,
  -- Listings looked at, and how many were stored then.
  listings integer not null,
  catalogued integer not null
);

-- What many ratings are in a storefront: of the apps whose number is known, the one in the middle and one that five in a
-- hundred exceed, in two figures. Without a row the scale common to all is used.
create table rating_scales (
  country storefront primary key,
  apps integer not null,
  middle bigint not null,
  high bigint not null
);

create table rating_scale_runs (
  only_one boolean primary key default true check (only_one),
  computed_at timestamptz(3) not null,
  -- What made the stored scores of all terms; empty until all are made by the scales above.
  formulas text not null
);

-- How often an app had been rated: the last observation of each UTC day on which a source stated a count. The record
-- holds the newest value only; growth needs the days between.
create table rating_observations (
  store_id bigint not null,
  country storefront not null,
  day date not null,
  observed_at timestamptz(3) not null,
  rating_count bigint not null,
  rating double precision,
  reading_id uuid not null,
  -- Decides between observations of one instant that say the same (`Reading.key`).
  reading_key text collate "C" not null default '',
  primary key (store_id, country, day)
);

-- The apps that Apple shows beside an app, as the newest observation showed them.
create table apple_lists (
  store_id bigint not null,
  country storefront not null,
  kind apple_list_kind not null,
  position smallint not null,
  similar_id bigint not null,
  observed_at timestamptz(3) not null,
  reading_id uuid not null,
  -- Decides between observations of one instant that say the same (`Reading.key`).
  reading_key text collate "C" not null default '',
  primary key (store_id, country, kind, position)
);

create index apple_lists_by_similar on apple_lists (similar_id, country);

-- When each stored app was last looked up and its page last read, whether or not the store had it; null until then.
create table app_checks (
  store_id bigint not null,
  country storefront not null,
  looked_up_at timestamptz(3),
  page_read_at timestamptz(3),
  primary key (store_id, country)
);

create index app_checks_by_lookup on app_checks (country, looked_up_at, store_id);
create index app_checks_by_page on app_checks (country, page_read_at, store_id);

-- The last time the look-up of an app, or the reading of its page, failed in a storefront, until it goes well. Not a part of
-- app_checks: what has a row there is looked up again and again, and asking for an app in vain does not bring that about.
create table check_failures (
  store_id bigint not null,
  country storefront not null,
  kind check_kind not null,
  failed_at timestamptz(3) not null,
  code failure_kind not null,
  message text not null,
  primary key (store_id, country, kind)
);
