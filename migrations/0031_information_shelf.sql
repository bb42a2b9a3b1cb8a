-- What the page of an app tells in its information: facts of the record beside those of Lookup.
alter table app_records
  add column in_app_purchases jsonb,
  add column compatibility jsonb,
  add column languages_shown text,
  add column size_shown text,
  add column copyright text;
