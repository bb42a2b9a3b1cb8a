-- The last time the look-up of an app, or the reading of its page, failed in a storefront, until it goes well. Not a part of
-- app_checks: what has a row there is looked up again and again, and asking for an app in vain does not bring that about.
create table check_failures (
  store_id bigint not null,
  country text not null,
  kind text not null,
  failed_at timestamptz not null,
  code text not null,
  message text not null,
  primary key (store_id, country, kind)
);
