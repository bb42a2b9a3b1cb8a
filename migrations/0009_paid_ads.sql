-- Paid ads as the libraries showed them. All of it but the decisions follows from readings and is made anew by a replay,
-- so whatever people keep about an ad names it by platform and archive id.
create table ads (
  -- As `posts.post_number`.
  ad_number bigint primary key,
  platform ad_platform not null,
  -- Digits; more of them than a bigint holds.
  archive_id text collate "C" not null,
  advertiser_id text collate "C",
  -- What the newest observation of each field said (domain/paid-ads/ad.ts).
  facts jsonb not null,
  evidence jsonb not null,
  first_observed_at timestamptz(3) not null,
  last_observed_at timestamptz(3) not null,
  observation_count integer not null,
  -- As `posts`.
  unique (platform, archive_id, ad_number)
);

create index ads_by_advertiser on ads (platform, advertiser_id);
-- The newest observation of a platform is part of every answer.
create index ads_newest on ads (platform, last_observed_at desc);

-- One row for each observation: what changes while an ad runs. Null is not carried; an end of 'infinity' was looked for and not there.
create table ad_observations (
  ad_number bigint not null,
  observed_at timestamptz(3) not null,
  active boolean,
  ended_on date,
  reach_text text,
  reading_id uuid not null,
  -- Every reading that showed the ad at that instant, those among them that say nothing more than others.
  reading_ids uuid[] not null default '{}',
  -- No source showed it, an account did. What a source shows takes its place. Equally named below.
  brought boolean not null default false,
  primary key (ad_number, observed_at)
);

-- Cards and variants an ad was seen with. A changed text or picture is another creative; `creative_id` is made from the
-- ad and the content, so a replay gives the same.
create table ad_creatives (
  creative_id uuid not null,
  ad_number bigint not null,
  position smallint not null,
  facts jsonb not null,
  first_observed_at timestamptz(3) not null,
  last_observed_at timestamptz(3) not null,
  -- The newest reading that showed it.
  reading_id uuid not null,
  brought boolean not null default false,
  primary key (creative_id, ad_number)
);

create index ad_creatives_of_ad on ad_creatives (ad_number);

-- Why an ad belongs to an app, found in the ad itself. Decisions of people are added when asked.
create table ad_grounds (
  ad_number bigint not null,
  store_id bigint not null,
  kind ground_kind not null,
  found_in ground_place not null,
  text text not null,
  reading_id uuid not null,
  recorded_at timestamptz(3) not null,
  brought boolean not null default false,
  primary key (ad_number, store_id, kind, found_in)
);

create index ad_grounds_of_app on ad_grounds (store_id, ad_number);

-- What people decided: that ads, or all ads of an advertiser, belong to an app or do not. One standing decision for each
-- subject and app. A replay leaves them alone.
create table ad_decisions (
  -- Ads that were named together share it.
  decision_id uuid not null,
  platform ad_platform not null,
  -- One of the two is set.
  advertiser_id text collate "C",
  archive_id text collate "C",
  store_id bigint not null,
  action link_action not null,
  note text,
  account_id uuid not null references accounts,
  decided_at timestamptz(3) not null,
  door door not null default 'http',
  check ((advertiser_id is null) <> (archive_id is null))
);

create unique index ad_decisions_on_advertiser on ad_decisions (platform, advertiser_id, store_id)
  where advertiser_id is not null;
create unique index ad_decisions_on_ad on ad_decisions (platform, archive_id, store_id) where archive_id is not null;

-- The apps an ad belongs to after all: grounds and decisions taken together, kept up to date with both.
create table ad_links (
  ad_number bigint not null,
  store_id bigint not null,
  primary key (store_id, ad_number)
);

create index ad_links_of_ad on ad_links (ad_number);

-- Advertisers with stored ads and the newest name of each; follows from readings and is made anew by a replay.
create table ad_advertisers (
  platform ad_platform not null,
  advertiser_id text collate "C" not null,
  -- Null while no reading named it.
  name text,
  -- Words of the name, folded, each after a blank.
  words text collate "C" not null,
  named_at timestamptz(3),
  brought boolean not null default false,
  primary key (platform, advertiser_id)
);

-- As `post_search` and `post_sort_keys`.
create table ad_search (
  ad_number bigint primary key,
  terms tsvector not null,
  -- Seconds since 1970.
  started double precision not null
);

create index ad_search_by_terms on ad_search using gin (terms);
create index ad_search_by_started on ad_search (started, ad_number);
create index ad_search_sample on ad_search (ad_number) where ad_number % 512 = 0;

create table ad_sort_keys (
  ad_number bigint primary key,
  days_running double precision not null,
  -- Seconds since 1970.
  observed double precision not null
);

create index ad_sort_keys_by_days on ad_sort_keys (days_running, ad_number);
create index ad_sort_keys_by_observed on ad_sort_keys (observed, ad_number);
create index ad_sort_keys_sample on ad_sort_keys (ad_number) include (days_running, observed)
  where ad_number % 512 = 0;

create table saved_ads (
  account_id uuid not null references accounts,
  platform ad_platform not null,
  archive_id text collate "C" not null,
  saved_at timestamptz(3) not null default now(),
  note text,
  tags text[] not null default '{}',
  primary key (account_id, platform, archive_id)
);

-- Imports of paid ads. How one does as work stands in `work`, under the same id; what it has read and where it stands
-- changes together with what it stores.
create table ad_imports (
  run_id uuid primary key references work (work_id) on delete cascade,
  account_id uuid not null references accounts,
  platform ad_platform not null,
  -- Names the arguments: asking for the same while it is under way answers the same run.
  arguments_hash text collate "C" not null,
  -- Null for inline records.
  query jsonb,
  -- Inline records as JSON, compressed, until they are stored.
  records bytea,
  -- Which of its searches it is at, from 0, and where that stands upstream; null at the beginning.
  search integer not null default 0,
  cursor text,
  -- Ads asked for at once; null for the usual number.
  page_size integer,
  -- How often this search was begun again because its position was not accepted.
  restarts integer not null default 0,
  -- Ads read in this search, and those that count against the limit.
  search_read integer not null default 0,
  counted integer not null default 0,
  requests integer not null default 0,
  pages integer not null default 0,
  read integer not null default 0,
  stored integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  rejections jsonb not null default '[]',
  notes jsonb not null default '[]',
  -- How the reading ended; null while it has not.
  ended_at_position import_ending,
  -- Attempts made before it was last asked to go on.
  attempts_before integer not null default 0,
  door door not null default 'http',
  withdrawn_at timestamptz(3)
);

create index ad_imports_by_arguments on ad_imports (account_id, arguments_hash);

-- What was previewed: the arguments wait here for the import, because inline records do not fit into a token. Once a run
-- exists the token answers it for ever.
create table ad_previews (
  -- SHA-256 of the token.
  token_hash text collate "C" primary key,
  account_id uuid not null references accounts,
  platform ad_platform not null,
  query jsonb,
  records bytea,
  expires_at timestamptz(3) not null,
  run_id uuid references ad_imports on delete cascade
);

create index ad_previews_waiting on ad_previews (account_id, expires_at) where run_id is null;
create index ad_previews_of_run on ad_previews (run_id);
