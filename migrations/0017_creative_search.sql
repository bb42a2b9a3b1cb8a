-- What search looks through. `terms` holds words and filters together (domain/creatives/terms.ts), so one index answers
-- any combination; the other columns are what lists are sorted by. Each sort has an index that ends with the number, and
-- '-infinity' is a value that is not measured, which comes last. What every new observation changes stands in a table of
-- its own: changing it leaves the terms and their costly index alone.
create table post_search (
  post_number bigint primary key references posts on delete cascade,
  terms tsvector not null,
  -- Seconds since 1970.
  published double precision not null
);

create index post_search_by_terms on post_search using gin (terms);
create index post_search_by_published on post_search (published, post_number);
-- Searches ask it first how much they will find.
create index post_search_sample on post_search (post_number) where post_number % 512 = 0;

create table post_standing (
  post_number bigint primary key references posts on delete cascade,
  views double precision not null,
  engagement double precision not null,
  outlier double precision not null
);

create index post_standing_by_views on post_standing (views, post_number);
create index post_standing_by_engagement on post_standing (engagement, post_number);
create index post_standing_by_outlier on post_standing (outlier, post_number);
create index post_standing_sample on post_standing (post_number) include (views, engagement, outlier)
  where post_number % 512 = 0;

create table ad_search (
  ad_number bigint primary key references ads on delete cascade,
  terms tsvector not null,
  -- Seconds since 1970.
  started double precision not null
);

create index ad_search_by_terms on ad_search using gin (terms);
create index ad_search_by_started on ad_search (started, ad_number);
create index ad_search_sample on ad_search (ad_number) where ad_number % 512 = 0;

create table ad_standing (
  ad_number bigint primary key references ads on delete cascade,
  days_running double precision not null,
  -- Seconds since 1970.
  observed double precision not null
);

create index ad_standing_by_days on ad_standing (days_running, ad_number);
create index ad_standing_by_observed on ad_standing (observed, ad_number);
create index ad_standing_sample on ad_standing (ad_number) include (days_running, observed)
  where ad_number % 512 = 0;
