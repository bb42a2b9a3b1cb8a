-- The last time Apple did not say what it suggests for something typed, until it does.
create table hint_failures (
  country text not null,
  typed text collate "C" not null,
  failed_at timestamptz not null,
  code text not null,
  message text not null,
  primary key (country, typed)
);
