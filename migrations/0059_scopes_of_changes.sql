-- What the latest changes of each counter were about, so that remembered replies about other storefronts and apps stay
-- (docs/decisions/0126-what-a-change-is-about.md). A change without a row is about everything of its area. The rows of a counter are
-- written in turn by whoever counts in it, so nobody waits for another.
create table evidence_change_scopes (
  area evidence_area not null,
  counter uuid not null,
  slot smallint not null,
  -- The number of the change, and the mark of the counter before it and after it.
  changes bigint not null,
  mark_before bigint not null,
  mark bigint not null,
  -- Separated by commas: us is everything of a storefront, us 4711 an app in it, * 4711 an app in all of them.
  scopes text not null,
  primary key (area, counter, slot)
) with (fillfactor = 50);

comment on table evidence_change_scopes is 'small: the latest changes of each counter of evidence_changes';
