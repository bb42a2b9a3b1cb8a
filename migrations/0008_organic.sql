-- Posts and ads are told apart in their indexes by a number, which also orders what is equal otherwise. It is made of the
-- name (59 bits), so that the order is the same whatever arrived first.
create function number_of_name(name text) returns bigint language sql immutable parallel safe
  return ('x' || left(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 16))::bit(64)::bigint & 576460752303423487;

-- Organic posts as they were last observed, their figures over time, and the apps they belong to. All of it follows from
-- readings and is made anew by a replay, so whatever people keep about a post names it by `post_id`.
create table posts (
  post_number bigint primary key,
  post_id text collate "C" not null,
  network network not null,
  -- Lower case, without @; null when no source names an author.
  author text collate "C",
  -- What the newest observation of each field said (domain/organic/post.ts).
  facts jsonb not null,
  -- The readings that say it, newest first, with their fields; as `app_records.evidence`.
  evidence jsonb not null,
  first_observed_at timestamptz(3) not null,
  last_observed_at timestamptz(3) not null,
  observation_count integer not null,
  -- The number follows from the name, so names are unique; a unique key holds what a cluster parts the table by.
  unique (post_id, post_number)
);

create index posts_by_author on posts (network, author);

-- One row for each observation. Null is not carried or hidden; the network tells which.
create table post_metrics (
  post_number bigint not null,
  observed_at timestamptz(3) not null,
  views bigint,
  likes bigint,
  comments bigint,
  shares bigint,
  saves bigint,
  -- Which counts the network hides: not measured for a reason of its own, and never zero. Null is none.
  hidden text[] check (hidden <@ array['views', 'likes', 'comments', 'shares', 'saves']),
  reading_id uuid not null,
  primary key (post_number, observed_at)
);

-- Authors with posts stored, and what is usual for them.
create table post_authors (
  network network not null,
  author text collate "C" not null,
  median_views double precision,
  posts_measured integer not null,
  -- The same by the age of posts when they were observed, as domain/organic/scores.ts has it.
  usual_at_age jsonb not null default '[]',
  -- What most of their posts are written in, ISO 639-1; null where it cannot be told.
  language text,
  primary key (network, author)
);

-- Why a post belongs to an app: one row for each ground (domain/creatives/grounds.ts).
create table post_grounds (
  post_number bigint not null,
  store_id bigint not null,
  kind ground_kind not null,
  found_in ground_place not null,
  text text not null,
  reading_id uuid not null,
  recorded_at timestamptz(3) not null,
  primary key (post_number, store_id, kind, found_in)
);

create index post_grounds_of_app on post_grounds (store_id, post_number);

-- Accounts that a post names as `@handle`, with the first observation that shows it.
create table post_mentions (
  network network not null,
  -- Lower case, without @.
  handle text collate "C" not null,
  post_number bigint not null,
  reading_id uuid not null,
  observed_at timestamptz(3) not null,
  primary key (network, handle, post_number)
);

create index post_mentions_of_post on post_mentions (post_number);

-- Which account is said to be whose: by the listing of an app, or by the profile of the account itself; never by a name.
-- An account that several apps claim belongs to none of them (domain/organic/known-handles.ts).
create table known_handles (
  network network not null,
  -- Lower case, without @.
  handle text collate "C" not null,
  store_id bigint not null,
  basis handle_basis not null,
  -- The first reading that says so, and when it was observed.
  reading_id uuid not null,
  observed_at timestamptz(3) not null,
  primary key (network, handle, store_id)
);

-- What the operator decided: that a post belongs to an app or does not. One standing decision for each post and app. Posts are
-- named by their public ids, so a replay leaves it alone.
create table post_decisions (
  post_id text collate "C" not null,
  store_id bigint not null,
  action link_action not null,
  note text,
  decided_at timestamptz(3) not null,
  primary key (post_id, store_id)
);

create index post_decisions_of_app on post_decisions (store_id);

-- Accounts of networks that the operator declared to be an app's. Unlike claims in known_handles, several apps may have one.
create table declared_handles (
  network network not null,
  -- Lower case, without @.
  handle text collate "C" not null,
  store_id bigint not null,
  declared_at timestamptz(3) not null,
  primary key (network, handle, store_id)
);

create index declared_handles_of_app on declared_handles (store_id);

-- The apps posts belong to after all: one row for each ground, of what was found and what was decided together, without
-- what the operator undid. Everything that reads links reads this.
create view post_links as
select g.*
from (
  select post_number, store_id, kind, found_in, text, reading_id, recorded_at, null::timestamptz(3) as decided_at
  from post_grounds
  union all
  select p.post_number, d.store_id, 'manual', 'decision', coalesce(d.note, d.post_id), null, d.decided_at, d.decided_at
  from post_decisions d
  join posts p using (post_id)
  where d.action = 'link'
  union all
  -- As old as the younger of its two halves, as grounds by known accounts are.
  select p.post_number, h.store_id, 'declared-handle', 'author',
    case h.network when 'reddit' then 'u/' else '@' end || h.handle, null,
    greatest(h.declared_at, p.first_observed_at), h.declared_at
  from declared_handles h
  join posts p on p.network = h.network and p.author = h.handle
  union all
  select m.post_number, h.store_id, 'declared-handle', 'text',
    case h.network when 'reddit' then 'u/' else '@' end || h.handle, null,
    greatest(h.declared_at, m.observed_at), h.declared_at
  from declared_handles h
  join post_mentions m on m.network = h.network and m.handle = h.handle
) g
where not exists (
  select from post_decisions d
  join posts p using (post_id)
  where d.action = 'unlink' and p.post_number = g.post_number and d.store_id = g.store_id
);

-- What search looks through. `terms` holds words and filters together (domain/creatives/terms.ts), so one index answers
-- any combination; the other columns are what lists are sorted by. Each sort has an index that ends with the number, and
-- '-infinity' is a value that is not measured, which comes last. What every new observation changes stands in a table of
-- its own: changing it leaves the terms and their costly index alone.
create table post_search (
  post_number bigint primary key,
  terms tsvector not null,
  -- Seconds since 1970.
  published double precision not null
);

create index post_search_by_terms on post_search using gin (terms);
create index post_search_by_published on post_search (published, post_number);
-- Searches ask it first how much they will find.
create index post_search_sample on post_search (post_number) where post_number % 512 = 0;

create table post_sort_keys (
  post_number bigint primary key,
  views double precision not null,
  engagement double precision not null,
  outlier double precision not null
);

create index post_sort_keys_by_views on post_sort_keys (views, post_number);
create index post_sort_keys_by_engagement on post_sort_keys (engagement, post_number);
create index post_sort_keys_by_outlier on post_sort_keys (outlier, post_number);
create index post_sort_keys_sample on post_sort_keys (post_number) include (views, engagement, outlier)
  where post_number % 512 = 0;

-- What accounts saved, by the names that outlive a replay.
create table saved_posts (
  account_id uuid not null references accounts,
  post_id text collate "C" not null,
  saved_at timestamptz(3) not null default now(),
  note text,
  tags text[] not null default '{}',
  primary key (account_id, post_id)
);

create index saved_posts_newest on saved_posts (account_id, saved_at desc, post_id desc);
