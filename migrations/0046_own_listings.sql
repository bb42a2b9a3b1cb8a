-- What an account told of its own listing (docs/decisions/0097-own-listings.md), a row for each import that told something new. Nobody else
-- ever sees it. What is current is the newest that is told of each text.
create table own_listings (
  import_id uuid primary key,
  account_id uuid not null references accounts,
  store_id bigint not null,
  -- When it was so, and when that was last said again.
  observed_at timestamptz(3) not null,
  confirmed_at timestamptz(3) not null,
  imported_at timestamptz(3) not null default now(),
  -- Whether it is the whole listing: what it does not name is gone.
  is_whole boolean not null default false,
  -- Texts by localization and field, as they are shown; an empty text is one that is known to be empty.
  texts json not null
);

create index own_listings_of_account on own_listings (account_id, store_id, observed_at);

comment on table own_listings is 'small: what accounts tell of their own listings';
