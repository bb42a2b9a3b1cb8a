-- Copies of media. A row exists from the moment a copy is asked for; `media_id` is made from the owner, the kind and the
-- place (domain/media/media-id.ts), so it outlives a replay.
create table archived_media (
  media_id uuid primary key,
  -- `post <postId>`, or `ad <platform>/<archiveId>`.
  owner text collate "C" not null,
  -- The creative of an ad; null for media of a post.
  creative_id uuid,
  kind medium_kind not null,
  source_url text,
  status copy_status not null,
  reason text,
  asked_at timestamptz(3) not null default now(),
  checked_at timestamptz(3),
  sha256 text collate "C",
  stored_at timestamptz(3),
  -- Copies that the installation wants, or a transcript that all accounts share: everybody sees how these do.
  shared boolean not null default false
);

create index archived_media_of_owner on archived_media (owner);
create index archived_media_of_creative on archived_media (creative_id) where creative_id is not null;
-- What had no copy to be made of; it may be seen at another address.
create index archived_media_missed on archived_media (owner) where status in ('removed-upstream', 'failed');
-- What waits for its copy; empty most of the time.
create index archived_media_pending on archived_media (asked_at) where status = 'pending';

-- Which accounts want copies of the media of a post or an ad, as `archived_media.owner` names it; it outlives their saving.
create table media_requests (
  account_id uuid not null references accounts,
  owner text collate "C" not null,
  primary key (account_id, owner)
);

-- What the store of media holds, once per content.
create table media_objects (
  sha256 text collate "C" primary key,
  content_type text not null,
  size_bytes bigint not null,
  stored_at timestamptz(3) not null default now()
);

-- The newest transcript and analysis of an ad; how their making goes stands in `work`. `result` is what
-- domain/ad-readings says it is.
create table ad_transcripts (
  platform ad_platform not null,
  archive_id text collate "C" not null,
  outcome transcript_outcome not null,
  result jsonb not null,
  made_at timestamptz(3) not null,
  primary key (platform, archive_id)
);

create table ad_analyses (
  platform ad_platform not null,
  archive_id text collate "C" not null,
  result jsonb not null,
  made_at timestamptz(3) not null,
  primary key (platform, archive_id)
);

-- What language models were asked on each day in UTC, by all processes together: their cost has a limit.
create table model_usage (
  day date primary key,
  requests integer not null,
  tokens bigint not null
);
