-- Times everywhere hold milliseconds, `timestamptz(3)`, as JavaScript does: what is read, told or used as a cursor is then
-- exactly what is stored, and finds it again. Money is `numeric`, never a binary fraction, with its currency beside it.

-- Who may call, and what is kept to make writes repeatable.

create table accounts (
  account_id uuid primary key,
  name text not null unique,
  created_at timestamptz(3) not null default now()
);

-- A key is shown once; only its hash is kept. 256 random bits need no slow hash.
create table api_keys (
  key_id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  key_hash bytea not null unique,
  scopes text[] not null check (scopes <@ array['context:read', 'content:write']),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  -- Whether it may bring evidence of its own: inline ad records and links.
  brings_evidence boolean not null default true
);

-- Written on the transaction of what the reply tells of. While a request is under way there is no row: its key is an
-- advisory lock of that transaction.
create table idempotent_replies (
  credential text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  status smallint not null,
  body text not null,
  answered_at timestamptz(3) not null default now(),
  primary key (credential, idempotency_key)
);

create index idempotent_replies_answered on idempotent_replies (answered_at);

-- Counters shared by all API processes, in the layout of the rate limiter that keeps them. A crash may lose them.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Made once, with the store: what this installation handed out and takes back is known by it. Two random UUIDs hold 244
-- bits that nobody can guess.
create table store_secret (
  only_one boolean primary key default true check (only_one),
  secret bytea not null
);

insert into store_secret (secret)
values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
