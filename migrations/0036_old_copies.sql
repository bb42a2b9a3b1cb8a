-- The update date that an answer showed of its app tells old copies from caches (docs/decisions/0074-old-copies.md): one whose date
-- is older than that of an answer before it shows nothing, so its bits are zero. `infinity` is no date: such a sighting is never old.
alter table listing_sightings add column updated_at timestamptz(3) not null default 'infinity';
alter table listing_sightings drop constraint listing_sightings_pkey;
alter table listing_sightings add constraint listing_sightings_pkey primary key (store_id, country, observed_at, updated_at);

-- What was observed last, by sources that are no answers of Apple's APIs, of fields that such an answer holds: it holds again if the
-- answer proves to be an old copy. Null where there is nothing of that kind.
alter table app_records add column undated jsonb;
