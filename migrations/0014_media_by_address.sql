-- A picture that a page shows may have been kept: its address is all that the page knows. Signed addresses are long, and only
-- equal ones are looked for.
create index archived_media_by_address on archived_media using hash (source_url) where status = 'stored';
