-- When an upstream may be asked next, kept by all processes together. A hold is what a throttling upstream asked for.
create table paces (
  upstream text primary key,
  next_at timestamptz not null,
  held_until timestamptz
);

-- How each source fares in each storefront. Since when it fails is the first failure after the last success.
create table source_health (
  source text not null,
  country text not null,
  last_success_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  last_failure_at timestamptz,
  failure_kind text,
  failure_message text,
  primary key (source, country)
);

-- Answers that held nothing where earlier ones held something. They are no evidence of absence.
create table suspect_answers (
  source text not null,
  country text not null,
  subject text not null,
  observed_at timestamptz not null,
  day date not null,
  reading_id uuid not null references readings,
  -- Whether a later answer held something again.
  cleared boolean not null default false,
  primary key (country, subject, observed_at)
);

create index suspect_answers_standing on suspect_answers (country, subject) where not cleared;

-- The last try of each chart on the schedule: what came of it, and how often in a row it failed.
create table chart_attempts (
  country text not null,
  kind text not null,
  category_id integer not null,
  device text not null,
  last_at timestamptz not null,
  outcome text not null,
  failures integer not null,
  message text,
  primary key (country, kind, category_id, device)
);

-- When each stored app was last looked up and its page last read, whether or not the store had it; null until then.
create table app_checks (
  store_id bigint not null,
  country text not null,
  looked_up_at timestamptz,
  page_read_at timestamptz,
  primary key (store_id, country)
);

insert into app_checks (store_id, country) select store_id, country from app_records;

create index app_checks_by_lookup on app_checks (country, looked_up_at, store_id);
create index app_checks_by_page on app_checks (country, page_read_at, store_id);

-- Apps an account follows; they are kept fresher than the rest.
create table tracked_apps (
  app_id uuid primary key,
  account_id uuid not null references accounts,
  store_id bigint not null,
  country text not null,
  role text not null,
  tracked_at timestamptz not null default now(),
  unique (account_id, store_id, country)
);

create index tracked_apps_by_app on tracked_apps (store_id, country);

-- Searches for one term, newest first: whether a term had results before.
create index readings_by_term on readings (country, (context ->> 'term'), observed_at)
  where source in ('itunes-search', 'apple-search-hints');
