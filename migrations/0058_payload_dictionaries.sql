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
