-- The schedule that an operator keeps on the pages, in place of that of the configuration file.
create table kept_schedule (
  only_one boolean primary key default true check (only_one),
  schedule jsonb not null,
  changed_at timestamptz(3) not null default now(),
  -- The credential, as in the audit log.
  changed_by text not null
);

comment on table kept_schedule is 'small: one row';
