-- What retention removed (docs/decisions/0049-retention.md): a replay, exports and estimates ask here what they cannot rest on.
create domain retained_kind as text
  check (value in ('chart-ranks', 'result-pages', 'ratings', 'post-figures', 'payloads'));

create table removed_months (
  kind retained_kind not null,
  -- The first day of the month.
  month date not null,
  -- What was counted: captures, pages, ratings, observations or payloads. A month that was removed again counts both times.
  removed bigint not null,
  removed_at timestamptz(3) not null default now(),
  primary key (kind, month)
);

comment on table removed_months is 'small: kinds and months that retention removed';

-- What is removed by the schedule is a write that no person makes.
alter domain audit_door drop constraint audit_door_check;
alter domain audit_door add constraint audit_door_check check (value in ('http', 'mcp', 'pages', 'command-line', 'schedule'));
