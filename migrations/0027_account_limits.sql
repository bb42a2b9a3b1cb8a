-- What an account may do and keep at most, as the operator says; nothing said is no limit. Writers of an account with a limit take turns
-- by its row.
alter table accounts
  add column most_requests_per_minute integer check (most_requests_per_minute > 0),
  add column most_items integer check (most_items >= 0),
  add column most_media_bytes bigint check (most_media_bytes >= 0);
