-- Every day of a chart history says how its capture was come by. What a reading says of that stands in the key as well, as
-- `source origin time_basis`, so a history of years is still answered from it alone.
alter table chart_snapshots add column read_as text;

update chart_snapshots s set read_as = concat_ws(' ', r.source, r.origin, r.time_basis)
from readings r where r.reading_id = s.reading_id;

alter table chart_snapshots alter column read_as set not null;

alter table chart_snapshots drop constraint chart_snapshots_pkey;

alter table chart_snapshots add primary key (chart_id, captured_at) include (day, returned, read_as);
