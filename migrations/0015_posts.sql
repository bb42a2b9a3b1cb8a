-- Organic posts as they were last observed, their figures over time, and the apps they belong to. All of it follows from
-- readings and is made anew by a replay, so whatever people keep about a post names it by `post_id`.
create table posts (
  post_number bigint generated always as identity primary key,
  post_id text collate "C" not null unique,
  network text not null,
  -- Lower case, without @; null when no source names an author.
  author text collate "C",
  -- What the newest observation of each field said (domain/organic/post.ts).
  facts jsonb not null,
  -- The readings that say it, newest first, with their fields; as `app_records.evidence`.
  evidence jsonb not null,
  first_observed_at timestamptz(3) not null,
  last_observed_at timestamptz(3) not null,
  observation_count integer not null
);

create index posts_by_author on posts (network, author);

-- One row for each observation. Null is not carried or hidden; the network tells which.
create table post_metrics (
  post_number bigint not null references posts on delete cascade,
  observed_at timestamptz(3) not null,
  views bigint,
  likes bigint,
  comments bigint,
  shares bigint,
  saves bigint,
  reading_id uuid not null references readings,
  primary key (post_number, observed_at)
);

-- Authors with posts stored, and what is usual for them.
create table post_authors (
  network text not null,
  author text collate "C" not null,
  median_views double precision,
  posts_measured integer not null,
  primary key (network, author)
);

-- Why a post belongs to an app: one row for each ground (domain/creatives/grounds.ts).
create table post_grounds (
  post_number bigint not null references posts on delete cascade,
  store_id bigint not null,
  kind text not null,
  found_in text not null,
  text text not null,
  reading_id uuid not null references readings,
  recorded_at timestamptz(3) not null,
  primary key (post_number, store_id, kind, found_in)
);

create index post_grounds_of_app on post_grounds (store_id, post_number);

-- Accounts that a post names as `@handle`, with the first observation that shows it.
create table post_mentions (
  network text not null,
  -- Lower case, without @.
  handle text collate "C" not null,
  post_number bigint not null references posts on delete cascade,
  reading_id uuid not null references readings,
  observed_at timestamptz(3) not null,
  primary key (network, handle, post_number)
);

create index post_mentions_of_post on post_mentions (post_number);

-- Which account is said to be whose: by the listing of an app, or by the profile of the account itself; never by a name.
-- An account that several apps claim belongs to none of them (domain/organic/known-handles.ts).
create table known_handles (
  network text not null,
  -- Lower case, without @.
  handle text collate "C" not null,
  store_id bigint not null,
  -- 'listing' or 'profile'.
  basis text not null,
  -- The first reading that says so, and when it was observed.
  reading_id uuid not null references readings,
  observed_at timestamptz(3) not null,
  primary key (network, handle, store_id)
);
