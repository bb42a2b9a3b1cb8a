-- What accounts saved, by the names that outlive a replay.
create table saved_posts (
  account_id uuid not null references accounts,
  post_id text collate "C" not null,
  saved_at timestamptz(3) not null default now(),
  note text,
  tags text[] not null default '{}',
  primary key (account_id, post_id)
);

create index saved_posts_newest on saved_posts (account_id, saved_at desc, post_id desc);

create table saved_ads (
  account_id uuid not null references accounts,
  platform text not null,
  archive_id text collate "C" not null,
  saved_at timestamptz(3) not null default now(),
  note text,
  tags text[] not null default '{}',
  primary key (account_id, platform, archive_id)
);
