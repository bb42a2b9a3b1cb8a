-- What an account wrote about a keyword of a tracked app, as it does about what it saved.
alter table tracked_keywords add column tags text[] not null default '{}';
alter table tracked_keywords add column note text;
