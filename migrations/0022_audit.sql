-- Every write by whom, through which door and how it ended, in the transaction of the write: there is none without the other.
-- Rows are added and never changed; a trigger says so to whoever tries.
create domain audit_door as text check (value in ('http', 'mcp', 'pages', 'command-line'));
create domain audit_outcome as text check (value in ('created', 'known', 'accepted', 'removed', 'begun', 'done', 'failed'));

create table audit_events (
  event_id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  door audit_door not null,
  -- `key:` and the id of a key, `jwt:` and a hash of a subject, or `user:` and who ran a command.
  actor text not null,
  -- None for commands of the operator that are about no account.
  account_id uuid references accounts,
  -- The operation or the command.
  operation text not null,
  -- What it was asked about: short values alone, without notes, records and passwords.
  subject jsonb not null,
  outcome audit_outcome not null
);

create index audit_events_at on audit_events (at, event_id);
create index audit_events_account on audit_events (account_id, at, event_id);

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_events_stay before update or delete on audit_events
  for each row execute function refuse_change_of_audit();

comment on table audit_events is 'small: writes of people and operators; thinned by at, once its trigger is disabled';

-- Networks that a key may be used from; everywhere where there is none.
alter table api_keys add column networks cidr[] not null default '{}';
