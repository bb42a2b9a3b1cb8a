-- The newest transcript and analysis of an ad; how their making goes stands in `work`. `result` is what
-- domain/ad-readings says it is.
create table ad_transcripts (
  platform text not null,
  archive_id text collate "C" not null,
  outcome text not null,
  result jsonb not null,
  made_at timestamptz(3) not null,
  primary key (platform, archive_id)
);

create table ad_analyses (
  platform text not null,
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
