-- Watches and channels that are muted for a while, what came of testing a channel, and links to a weekly report
-- (docs/decisions/0114-watches-on-pages-and-shared-reports.md).
alter table watches add column muted_at timestamptz(3);

alter table watch_ways add column muted_at timestamptz(3);
-- The last test; its error where it failed.
alter table watch_ways add column tested_at timestamptz(3);
alter table watch_ways add column test_error text;

-- Found while its watch was muted: it stands in the history, and is never sent.
alter table watch_events add column muted boolean not null default false;

-- Whoever has the token reads this one page until the link expires. A revoked link is deleted.
create table report_links (
  link_id uuid primary key,
  account_id uuid not null references accounts,
  -- SHA-256 of the token.
  token_hash bytea not null unique,
  title text not null,
  -- As it was when it was shared.
  page text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

create index report_links_of_account on report_links (account_id, expires_at);

comment on table report_links is 'small: reports that accounts share, at most fifty of each';

-- The history shows what became of each event.
create index watch_deliveries_of_event on watch_deliveries (event_id);
