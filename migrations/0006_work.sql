-- Work that takes time: what was asked for, how far it is and how it ended. The queue beside it only knows what to do
-- next; this is what people are told.
create table work (
  work_id uuid primary key,
  kind text not null,
  -- What it is about: asking again for the same while it is under way answers the same work.
  subject text not null,
  input jsonb not null,
  status text not null,
  done integer,
  total integer,
  unit text,
  result jsonb not null default '{}',
  -- Each has a number; only the newest may tell how far it is and how it ended.
  attempts integer not null default 0,
  -- How many in a row ended with their process and got no further than the one before.
  interrupted integer not null default 0,
  last_error_at timestamptz,
  last_error_code text,
  last_error_message text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);

create unique index work_under_way on work (kind, subject) where status in ('queued', 'running');
create index work_newest on work (kind, subject, work_id desc);
