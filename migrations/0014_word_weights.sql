-- In how many stored listings a word stands, of those that were looked at: what a word says about an app depends on how
-- many others hold it. Words of one listing alone are left out; `word_weighings` says what was looked at.
create table word_weights (
  word text collate "C" primary key,
  listings integer not null
);

create table word_weighings (
  only_one boolean primary key default true check (only_one),
  weighed_at timestamptz not null,
  -- Listings looked at, and how many were stored then.
  listings integer not null,
  catalogued integer not null
);

-- Who observed a listing at an instant: the timeline of a listing names the readings on both sides of a change.
create index readings_observed on readings (observed_at);
