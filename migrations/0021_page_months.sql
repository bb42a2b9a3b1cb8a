-- In which month the newest page that counts of each term lies, counted by storefront as pages are written. Whoever compares two
-- apps on these pages reads their ranks of these months, and how many pages there are, without a look at every term.
create table page_months (
  country storefront not null,
  month date not null,
  terms integer not null,
  primary key (country, month)
) with (fillfactor = 70);

-- A page that is stored meanwhile would be counted by nobody, or twice.
lock table term_states in share row exclusive mode;

insert into page_months (country, month, terms)
select country, date_trunc('month', page_day::timestamp)::date, count(*) from terms where page_day is not null group by 1, 2;

comment on table page_months is 'small: storefronts and months';

-- The oldest and the newest of them.
create index newest_pages_by_time on newest_pages (country, captured_at);
