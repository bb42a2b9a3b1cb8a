-- Filters of the tables of keywords, by the names that an account gives them (docs/decisions/0120-saved-filters.md).
create table keyword_filters (
  account_id uuid not null references accounts,
  name text not null,
  -- The query of the address that shows it.
  query text not null,
  saved_at timestamptz(3) not null default now(),
  primary key (account_id, name)
);

comment on table keyword_filters is 'small: filters of keywords, at most a hundred of each account';
