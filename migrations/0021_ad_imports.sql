-- Imports of paid ads. How one does as work stands in `work`, under the same id; what it has read and where it stands
-- changes together with what it stores.
create table ad_imports (
  run_id uuid primary key references work (work_id) on delete cascade,
  account_id uuid not null references accounts,
  platform text not null,
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
  ended_at_position text,
  -- Attempts made before it was last asked to go on.
  attempts_before integer not null default 0
);

create index ad_imports_by_arguments on ad_imports (account_id, arguments_hash);

-- What was previewed: the arguments wait here for the import, because inline records do not fit into a token. Once a run
-- exists the token answers it for ever.
create table ad_previews (
  -- SHA-256 of the token.
  token_hash text collate "C" primary key,
  account_id uuid not null references accounts,
  platform text not null,
  query jsonb,
  records bytea,
  expires_at timestamptz not null,
  run_id uuid references ad_imports on delete cascade
);

create index ad_previews_waiting on ad_previews (account_id, expires_at) where run_id is null;
create index ad_previews_of_run on ad_previews (run_id);

-- Pages of a search, newest first: whether it had ads before.
create index readings_by_ad_search on readings ((context ->> 'adSearch'), observed_at)
  where source in ('meta-ad-library', 'tiktok-ad-library');

-- Advertisers with stored ads and the newest name of each; follows from readings and is made anew by a replay.
create table ad_advertisers (
  platform text not null,
  advertiser_id text collate "C" not null,
  -- Null while no reading named it.
  name text,
  -- Words of the name, folded, each after a blank.
  words text collate "C" not null,
  named_at timestamptz(3),
  primary key (platform, advertiser_id)
);
