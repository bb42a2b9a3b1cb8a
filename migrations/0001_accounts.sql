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

create table idempotent_replies (
  credential text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  -- Which request holds the key: one that was cut off and taken over cannot speak for its successor.
  claim uuid not null,
  started_at timestamptz not null,
  status smallint,
  body text,
  primary key (credential, idempotency_key)
);

create unique index idempotent_replies_claim on idempotent_replies (claim);
create index idempotent_replies_started on idempotent_replies (started_at);
