-- Who may call, and what is kept to make writes repeatable.

create table accounts (
  account_id uuid primary key,
  name text not null unique,
  created_at timestamptz not null default now()
);

-- A key is shown once; only its hash is kept. 256 random bits need no slow hash.
create table api_keys (
  key_id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  key_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

-- Written on the transaction of what the reply tells of. While a request is under way there is no row: its key is an
-- advisory lock of that transaction.
create table idempotent_replies (
  credential text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  status smallint not null,
  body text not null,
  answered_at timestamptz not null default now(),
  primary key (credential, idempotency_key)
);

create index idempotent_replies_answered on idempotent_replies (answered_at);
