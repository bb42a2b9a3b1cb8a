-- The own app that a rival belongs to; null for one that belongs to every own app of its storefront
-- (docs/decisions/0117-rivals-of-an-app.md).
alter table tracked_apps add column rival_of uuid references tracked_apps on delete set null;
create index tracked_apps_of_own on tracked_apps (rival_of) where rival_of is not null;
