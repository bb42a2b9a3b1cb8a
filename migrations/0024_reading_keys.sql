-- Which of two readings of one instant is named, their keys decide. They stand beside what names the reading: in a cluster, readings
-- lie on other workers, and a row cannot look there while it is written.
alter table ad_observations add column reading_key text collate "C" not null default '';
alter table ad_creatives add column reading_key text collate "C" not null default '';
alter table ad_grounds add column reading_key text collate "C" not null default '';
alter table post_grounds add column reading_key text collate "C" not null default '';
alter table post_mentions add column reading_key text collate "C" not null default '';

with keys as materialized (
  select reading_id, reading_key from readings where reading_id in (select reading_id from ad_observations)
)
update ad_observations t set reading_key = keys.reading_key from keys where keys.reading_id = t.reading_id;

with keys as materialized (
  select reading_id, reading_key from readings where reading_id in (select reading_id from ad_creatives)
)
update ad_creatives t set reading_key = keys.reading_key from keys where keys.reading_id = t.reading_id;

with keys as materialized (
  select reading_id, reading_key from readings where reading_id in (select reading_id from ad_grounds)
)
update ad_grounds t set reading_key = keys.reading_key from keys where keys.reading_id = t.reading_id;

with keys as materialized (
  select reading_id, reading_key from readings where reading_id in (select reading_id from post_grounds)
)
update post_grounds t set reading_key = keys.reading_key from keys where keys.reading_id = t.reading_id;

with keys as materialized (
  select reading_id, reading_key from readings where reading_id in (select reading_id from post_mentions)
)
update post_mentions t set reading_key = keys.reading_key from keys where keys.reading_id = t.reading_id;
