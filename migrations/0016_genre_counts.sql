-- How many records of a storefront list the same genres, counted as records are written: to count them each time they are asked
-- for takes a second once a storefront has a million. A record whose genres nobody told lists none.
create table genre_counts (
  country storefront not null,
  category_ids integer[] not null,
  apps integer not null,
  primary key (country, category_ids)
) with (fillfactor = 70);

insert into genre_counts (country, category_ids, apps)
select country, coalesce(category_ids, '{}'), count(*) from app_records group by 1, 2;

comment on table genre_counts is 'small: lists of genres that apps have';
