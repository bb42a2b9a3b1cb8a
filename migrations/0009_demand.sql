-- What accounts wish to know about apps. Demand only: nothing here starts collecting. One row for each wish, however
-- often it is asked; `store_id` is text because people may name numbers that no app has and no bigint holds.
-- Times are kept as exactly as they are told, so that a place in a list can be found again.
create table data_requests (
  request_id uuid primary key,
  account_id uuid not null references accounts,
  store_id text not null,
  country text not null,
  kind text not null,
  status text not null default 'open',
  demand integer not null default 1,
  first_requested_at timestamptz(3) not null default now(),
  last_requested_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  note text,
  dismissal_reason text,
  unique (account_id, store_id, country, kind)
);

-- Evidence that arrives looks here for whoever waits for it.
create index data_requests_open on data_requests (store_id, country, kind) where status = 'open';
