-- The ranks of an app in a chart, an array for each month in place of a row for each rank: a fifth of the space
-- (docs/decisions/0041-ranks-of-charts-by-month.md). Oldest first; times and ranks belong together by their places.
create table chart_months (
  store_id bigint not null,
  month date not null,
  chart_id integer not null,
  captured_at timestamptz(3)[] not null,
  ranks smallint[] not null,
  primary key (store_id, chart_id, month)
) partition by range (month);

comment on table chart_months is 'by store_id: grows with charts, months and the apps in them; thinned by dropping the parts of old months';

-- Times of captures, and the ranks that belong to them, oldest first and without some of the times.
create function times_in_order(times timestamptz[], gone timestamptz[]) returns timestamptz[] language sql immutable parallel safe
  return array(select one.at from unnest(times) as one(at) where one.at <> all(gone) order by one.at);

create function ranks_in_order(times timestamptz[], ranks smallint[], gone timestamptz[]) returns smallint[] language sql immutable parallel safe
  return array(select one.rank from unnest(times, ranks) as one(at, rank) where one.at <> all(gone) order by one.at);

-- Whoever still writes rows is waited for, and nobody writes any more.
lock table chart_ranks in access exclusive mode;

do $$
declare
  part text;
  month date;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'chart_ranks'::regclass order by 1
  loop
    month := to_date(right(part, 7), 'YYYY_MM');
    execute format('create table chart_months_%s (like chart_months including all)', to_char(month, 'YYYY_MM'));
    execute format(
      'insert into chart_months_%s (store_id, month, chart_id, captured_at, ranks)
      select store_id, %L, chart_id, array_agg(captured_at order by captured_at), array_agg(rank order by captured_at)
      from %I group by store_id, chart_id order by store_id, chart_id',
      to_char(month, 'YYYY_MM'), month, part);
    -- Room for what comes later: what is there stays dense.
    execute format('alter table chart_months_%s set (fillfactor = 65)', to_char(month, 'YYYY_MM'));
    execute format('alter table chart_months attach partition chart_months_%s for values from (%L) to (%L)',
      to_char(month, 'YYYY_MM'), month, (month + interval '1 month')::date);
  end loop;
end $$;

drop table chart_ranks;

-- A row for each rank, to read. Whoever asks by `captured_at` names the months as well: they decide which parts are read.
create view chart_ranks as
select m.store_id, m.month, m.chart_id, one.captured_at, one.rank
from chart_months m cross join lateral unnest(m.captured_at, m.ranks) as one(captured_at, rank);
