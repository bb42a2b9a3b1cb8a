-- Copies of media. A row exists from the moment a copy is asked for; `media_id` is made from the owner, the kind and the
-- place (domain/media/media-id.ts), so it outlives a replay.
create table kept_media (
  media_id uuid primary key,
  -- `post <postId>`, or `ad <platform>/<archiveId>`.
  owner text collate "C" not null,
  -- The creative of an ad; null for media of a post.
  creative_id uuid,
  kind text not null,
  source_url text,
  -- As `KeptStatus`: pending, stored, removed-upstream, failed or not-kept.
  status text not null,
  reason text,
  asked_at timestamptz(3) not null default now(),
  checked_at timestamptz(3),
  sha256 text collate "C",
  stored_at timestamptz(3)
);

create index kept_media_of_owner on kept_media (owner);
create index kept_media_of_creative on kept_media (creative_id) where creative_id is not null;
-- What had no copy to be made of; it may be seen at another address.
create index kept_media_missed on kept_media (owner) where status in ('removed-upstream', 'failed');
-- What waits for its copy; empty most of the time.
create index kept_media_pending on kept_media (asked_at) where status = 'pending';

-- What the store of media holds, once per content.
create table media_objects (
  sha256 text collate "C" primary key,
  content_type text not null,
  size_bytes bigint not null,
  stored_at timestamptz(3) not null default now()
);
