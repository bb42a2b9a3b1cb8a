-- How terms are found that belong together: by their words, and by the apps at the top of their newest pages.

-- The words of a term, stretches of unspaced script as their pairs of letters. Made with the term, never changed.
create table term_words (
  country text not null,
  word text collate "C" not null,
  term_id integer not null references terms,
  primary key (country, word, term_id)
);

-- The apps of the first ten places of the newest page.
alter table newest_pages add column top bigint[] not null default '{}';

create index newest_pages_by_top on newest_pages using gin (top);
