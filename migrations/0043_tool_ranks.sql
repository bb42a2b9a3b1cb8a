-- Ranks of apps for keywords that another tool observed, as its files tell them. No page of ours shows them, so they stand apart from
-- `rank_months`, and nothing that reads pages can meet them (docs/decisions/0093-ranks-of-other-tools.md). A row is a month of one reading.
create table tool_ranks (
  store_id bigint not null,
  country storefront not null,
  term_id integer not null references term_names,
  month date not null,
  -- As it is shown; empty where nothing named it.
  tool text collate "C" not null,
  -- Empty where the file does not tell.
  told_device text collate "C" not null check (told_device in ('', 'iphone', 'ipad')),
  -- 31 places by day: a rank; below zero absent among that many places; null not measured.
  ranks smallint[] not null,
  -- Of the reading. Of two that tell a day, the later one counts; of one instant, the greater key.
  observed_at timestamptz(3) not null,
  reading_key text collate "C" not null,
  reading_id uuid not null,
  primary key (store_id, country, term_id, month, tool, told_device, reading_key)
);

comment on table tool_ranks is 'by store_id: grows with months of ranks that files of other tools tell';
