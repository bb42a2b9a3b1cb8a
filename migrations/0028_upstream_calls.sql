-- How calls of upstreams ended, counted since the first one by all processes together.
create domain call_outcome as text check (value in (
  'answered', 'throttled', 'refused', 'unavailable', 'unreachable', 'certificate', 'timeout', 'too-large', 'cut-off',
  'not-json', 'unexpected-shape', 'too-much', 'credential', 'permission', 'not-found', 'circuit-open'
));

create table upstream_calls (
  upstream registered_name not null,
  outcome call_outcome not null,
  calls bigint not null,
  primary key (upstream, outcome)
);

comment on table upstream_calls is 'small: upstreams and how calls end';
