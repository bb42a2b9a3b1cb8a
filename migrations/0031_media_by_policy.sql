-- Kept media go by policy too (docs/decisions/0053-media-by-policy.md).
alter domain retained_kind drop constraint retained_kind_check;
alter domain retained_kind add constraint retained_kind_check
  check (value in ('chart-ranks', 'result-pages', 'ratings', 'post-figures', 'media', 'payloads'));

-- When retention let a copy go. Since then it is kept for accounts alone that have its post or ad saved, and only they are told of it.
-- A copy that went keeps its `sha256`, so that who asks for that content is told what became of it.
alter table archived_media add column released_at timestamptz(3);

-- Whether another post or ad needs a content.
create index archived_media_of_content on archived_media (sha256) where sha256 is not null;

-- Contents that no copy needs any more. The row of a content goes first and names it here; its file goes afterwards.
create table removed_contents (
  sha256 text collate "C" primary key,
  removed_at timestamptz(3) not null default now()
);

comment on table removed_contents is 'small: contents whose files go next';
