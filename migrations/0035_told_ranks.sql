-- Ranks that lists with gaps tell, such as rank histories of some apps. The rest of their chart was not seen: they are no captures.
-- So they stand apart from `chart_snapshots` and refer to no chart: what reads charts cannot take them for one
-- (docs/decisions/0070-told-ranks.md).
create table told_ranks (
  store_id bigint not null,
  country storefront not null,
  kind chart_kind not null,
  category_id integer not null,
  device device not null,
  captured_at timestamptz(3) not null,
  day date not null,
  -- Null where the app is told not to be among the first `depth` places; `depth` is null where the rank is told.
  rank smallint,
  depth smallint,
  reading_id uuid not null,
  -- As in `chart_snapshots`. Rows of one key and instant are one list.
  reading_key text collate "C" not null,
  read_as text not null,
  -- Whether the list may be a part of the chart that other lists complete.
  may_join boolean not null,
  primary key (store_id, country, kind, category_id, device, captured_at, reading_key)
);

create index told_ranks_by_chart on told_ranks (country, kind, category_id, device, captured_at) include (day);

comment on table told_ranks is 'by store_id: grows with lists of ranks of some apps; thinned by captured_at, together with chart_snapshots';
