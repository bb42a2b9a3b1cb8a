-- A payload is compressed with an earlier one of its subject and month (docs/decisions/0123-payload-dictionaries.md).
alter table payloads add column dictionary_hash bytea;

-- The last payload of a subject, of a chart, a term, an app or its page: its place in the month and what it depends on, itself included.
create table payload_dictionaries (
  subject bytea primary key,
  month date not null,
  position smallint not null,
  path bytea[] not null
);
comment on table payload_dictionaries is 'by subject: grows with charts, terms and apps that are read; rows of earlier months can be deleted';

-- Months that were stored before, whose payloads are packed with each other once they have ended.
create table payload_months_to_pack (
  month date primary key
);
comment on table payload_months_to_pack is 'small: by month of before this table, empty in the end';
insert into payload_months_to_pack (month)
  select to_date(right(c.relname, 7), 'YYYY_MM')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'payloads'::regclass;
