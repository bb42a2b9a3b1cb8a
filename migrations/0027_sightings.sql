-- At which instants a listing was observed, and which of the fields whose changes are kept it showed: bits, in the order
-- of `trackedFields` (domain/catalogue/listing.ts). What was stated and what was only hinted counts apart. The values
-- stand in app_records and listing_versions; with these instants a value that arrives late parts a version where it was
-- really seen. Charts have no rows here: chart_ranks tells when they showed an app.
create table listing_sightings (
  store_id bigint not null,
  country text not null,
  observed_at timestamptz not null,
  stated integer not null,
  hinted integer not null,
  primary key (store_id, country, observed_at)
);

-- What the entries of a snapshot say of their apps, as bits; entries that say something else, or nothing, stand apart
-- and have rows of their own in listing_sightings.
alter table chart_snapshots
  add column stated integer not null default 0,
  add column hinted integer not null default 0,
  add column apart bigint[],
  -- Whether the places came in parts, and those of them that another app or another place won: [place, app].
  add column in_parts boolean not null default false,
  add column beaten json;

-- Decides between observations of one instant that say the same (`Reading.key`).
alter table rating_observations add column reading_key text collate "C" not null default '';
alter table apple_lists add column reading_key text collate "C" not null default '';
alter table hint_answers add column reading_key text collate "C" not null default '';

-- Posts and ads are told apart in their indexes by a number, which also orders what is equal otherwise. It is made of the
-- name (59 bits), so that the order is the same whatever arrived first.
create function number_of_name(name text) returns bigint language sql immutable parallel safe
  return ('x' || left(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 16))::bit(64)::bigint & 576460752303423487;
alter table posts alter column post_number drop identity;
alter table ads alter column ad_number drop identity;

-- Every empty answer is noted, since what makes it suspect, an earlier one that held something, may arrive later.
alter table suspect_answers add column suspect boolean not null default true;
