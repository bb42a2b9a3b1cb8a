-- Paid ads as the libraries showed them. All of it but the decisions follows from readings and is made anew by a replay,
-- so whatever people keep about an ad names it by platform and archive id.
create table ads (
  ad_number bigint generated always as identity primary key,
  platform text not null,
  -- Digits; more of them than a bigint holds.
  archive_id text collate "C" not null,
  advertiser_id text collate "C",
  -- What the newest observation of each field said (domain/paid-ads/ad.ts).
  facts jsonb not null,
  evidence jsonb not null,
  first_observed_at timestamptz(3) not null,
  last_observed_at timestamptz(3) not null,
  observation_count integer not null,
  unique (platform, archive_id)
);

create index ads_by_advertiser on ads (platform, advertiser_id);
-- The newest observation of a platform is part of every answer.
create index ads_newest on ads (platform, last_observed_at desc);

-- One row for each observation: what changes while an ad runs. Null is not carried; an end of 'infinity' was looked for and not there.
create table ad_observations (
  ad_number bigint not null references ads on delete cascade,
  observed_at timestamptz(3) not null,
  active boolean,
  ended_on date,
  reach_text text,
  reading_id uuid not null references readings,
  primary key (ad_number, observed_at)
);

-- Cards and variants an ad was seen with. A changed text or picture is another creative; `creative_id` is made from the
-- ad and the content, so a replay gives the same.
create table ad_creatives (
  creative_id uuid primary key,
  ad_number bigint not null references ads on delete cascade,
  position smallint not null,
  facts jsonb not null,
  first_observed_at timestamptz(3) not null,
  last_observed_at timestamptz(3) not null,
  -- The newest reading that showed it.
  reading_id uuid not null references readings
);

create index ad_creatives_of_ad on ad_creatives (ad_number);

-- Why an ad belongs to an app, found in the ad itself. Decisions of people are added when asked.
create table ad_grounds (
  ad_number bigint not null references ads on delete cascade,
  store_id bigint not null,
  kind text not null,
  found_in text not null,
  text text not null,
  reading_id uuid not null references readings,
  recorded_at timestamptz(3) not null,
  primary key (ad_number, store_id, kind, found_in)
);

create index ad_grounds_of_app on ad_grounds (store_id, ad_number);

-- What people decided: that ads, or all ads of an advertiser, belong to an app or do not. One standing decision for each
-- subject and app. A replay leaves them alone.
create table ad_decisions (
  -- Ads that were named together share it.
  decision_id uuid not null,
  platform text not null,
  -- One of the two is set.
  advertiser_id text collate "C",
  archive_id text collate "C",
  store_id bigint not null,
  action text not null,
  note text,
  account_id uuid not null references accounts,
  decided_at timestamptz(3) not null,
  check ((advertiser_id is null) <> (archive_id is null))
);

create unique index ad_decisions_on_advertiser on ad_decisions (platform, advertiser_id, store_id)
  where advertiser_id is not null;
create unique index ad_decisions_on_ad on ad_decisions (platform, archive_id, store_id) where archive_id is not null;

-- The apps an ad belongs to after all: grounds and decisions taken together, kept up to date with both.
create table ad_links (
  ad_number bigint not null references ads on delete cascade,
  store_id bigint not null,
  primary key (store_id, ad_number)
);

create index ad_links_of_ad on ad_links (ad_number);
