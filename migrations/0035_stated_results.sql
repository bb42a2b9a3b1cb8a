-- How many results the newest page said it has, where that is not the length of its list.
alter table newest_pages add column stated bigint;
