-- Imported pages that were said to be captured at the same instant as another one of their term: only one of them can be
-- the page of that instant. The others wait here, in case that one turns out to have been captured earlier.
create table spare_pages (
  term_id integer not null references terms,
  captured_at timestamptz not null,
  reading_id uuid not null references readings,
  fingerprint bytea,
  primary key (term_id, captured_at, reading_id)
);
