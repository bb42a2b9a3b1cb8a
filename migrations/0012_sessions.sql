-- People signed in to the web pages. Only the hash of a session's secret is kept: 256 random bits need no slow hash.

-- A session rests on an API key and may what the key may, or on a person of the OpenID provider and may what the token said.
create table sessions (
  session_id uuid primary key,
  secret_hash bytea not null unique,
  key_id uuid references api_keys,
  -- As in `credential` of idempotent replies, so that limits and repetitions are the same as with tokens.
  subject text,
  account_id uuid not null references accounts,
  -- Name, scopes and right to bring evidence of a person of the provider; those of a key are read from the key.
  name text,
  scopes text[] check (scopes <@ array['context:read', 'content:write']),
  brings_evidence boolean,
  created_at timestamptz(3) not null default now(),
  -- To the minute.
  last_used_at timestamptz(3) not null default now(),
  -- When it ends unless it is used before, and when it ends in any case.
  expires_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at >= expires_at),
  -- For its owner to recognise it by.
  browser text,
  address text,
  check (num_nonnulls(key_id, subject) = 1),
  check (num_nulls(subject, name, scopes, brings_evidence) in (0, 4))
);

create index sessions_key on sessions (key_id, created_at desc);
create index sessions_subject on sessions (subject, created_at desc);
create index sessions_expiring on sessions (expires_at);

-- One-time links that sign in with a key. Using one deletes it.
create table sign_in_links (
  link_hash bytea primary key,
  key_id uuid not null references api_keys,
  expires_at timestamptz(3) not null
);

comment on table sessions is 'small: one row for each browser that is signed in, at most 1,000 for each credential; gone two weeks later';
comment on table sign_in_links is 'small: each is gone when it is used, or within the hour';
