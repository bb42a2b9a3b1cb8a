-- Counters shared by all API processes, in the layout of the rate limiter that keeps them. A crash may lose them.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
