-- Networks and platforms of ads are rows of a registry in the code, as sources and formats of payloads are: a new one needs no
-- migration (docs/decisions/0084-one-row-a-supplier.md).
alter domain network drop constraint network_check;
alter domain network add constraint network_check check (value ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$');
alter domain ad_platform drop constraint ad_platform_check;
alter domain ad_platform add constraint ad_platform_check check (value ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$');

-- Pages of a search of ads, newest first, whichever library was searched.
drop index readings_by_ad_search;
create index readings_by_ad_search on readings ((context ->> 'adSearch'), observed_at)
  where context ->> 'adSearch' is not null;
