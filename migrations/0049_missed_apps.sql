-- When a storefront was asked for an app and did not list it: an answer of Lookup that lists others of the apps asked for, or the 404 of
-- its page. What follows from it is worked out when it is read, together with the sightings (docs/decisions/0100-missed-apps.md).
create table missed_apps (
  store_id bigint not null,
  country storefront not null,
  observed_at timestamptz(3) not null,
  source registered_name not null,
  origin origin not null,
  time_basis time_basis not null,
  -- Of two readings of one instant and source, the one with the smaller key is named.
  reading_key text collate "C" not null,
  reading_id uuid not null,
  primary key (store_id, country, observed_at, source)
);

comment on table missed_apps is 'by store_id: grows with checks of apps that a storefront does not list';

alter domain watch_kind drop constraint watch_kind_check;
alter domain watch_kind add constraint watch_kind_check
  check (value in ('top', 'moved', 'chart', 'listing', 'release', 'availability', 'ads', 'emerging', 'source', 'import'));
