-- How often shared evidence was stored, for pages that ask whether to load anew. Newest times or ids would not do: what is
-- stored first may be seen last, and imports bring what is old. Each transaction counts at its end, so that what is counted can
-- be seen. It counts in a row that nobody else counts in at that moment, and makes one where there is none: writers never
-- wait for each other. The sum of an area is what counts.
create domain evidence_area as text check (value in ('apps', 'charts', 'keywords', 'posts', 'ads', 'estimates'));

create table evidence_changes (
  area evidence_area not null,
  counter uuid not null default gen_random_uuid(),
  changes bigint not null default 1,
  primary key (area, counter)
) with (fillfactor = 50);

comment on table evidence_changes is 'small: as many rows for each area as transactions ever ended at once';
