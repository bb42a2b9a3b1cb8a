-- A term people search a storefront for, in one form. Its number outlives a replay: what people track refers to it.
create table term_names (
  term_id integer generated always as identity primary key,
  country storefront not null,
  term text collate "C" not null,
  -- What is typed to learn how early Apple suggests it: the first half of its letters.
  half text collate "C" not null,
  -- The refresh that is about to search for it: others wait for the page instead of searching too.
  search_claimed_by uuid,
  search_claimed_at timestamptz(3),
  unique (country, term)
) with (fillfactor = 80);

-- What pages and suggestions say of a term. Of pages it is about the newest one that counts: one with results that does
-- not fall far short of those before it, or an empty one where there never were any.
create table term_states (
  term_id integer primary key references term_names,
  page_at timestamptz(3),
  page_day date,
  page_depth smallint,
  -- How many pages count, and how deep the deepest of them is: what an app that never ranked was looked for in.
  pages integer not null default 0,
  deepest smallint,
  first_results_at timestamptz(3),
  -- Scores carry the formula that made them; none where the evidence is too thin.
  difficulty double precision,
  difficulty_formula text,
  autocomplete double precision,
  autocomplete_formula text,
  opportunity double precision,
  opportunity_formula text
) with (fillfactor = 80);

-- Terms with what is known of them; everything that reads terms reads this.
create view terms as
select n.term_id, n.country, n.term, n.half, s.page_at, s.page_day, s.page_depth, coalesce(s.pages, 0) as pages, s.deepest,
  s.first_results_at, s.difficulty, s.difficulty_formula, s.autocomplete, s.autocomplete_formula, s.opportunity,
  s.opportunity_formula
from term_names n
left join term_states s using (term_id);

-- What one search showed: the apps in the order of their places, null where Apple's entry could not be read.
create table result_pages (
  term_id integer not null references term_names,
  captured_at timestamptz(3) not null,
  day date not null,
  depth smallint not null,
  requested smallint,
  store_ids bigint[] not null,
  reading_id uuid not null,
  -- Of imported pages: equal for pages that show the same.
  fingerprint bytea,
  -- How deep the term is known to go once this page was seen, and whether the page counts: one that falls far short of
  -- what was known does not, until another one confirms it.
  known_depth smallint not null,
  counts boolean not null default true,
  primary key (term_id, captured_at)
);

create index result_pages_in_doubt on result_pages (term_id, captured_at) where not counts;
create index result_pages_of_fingerprint on result_pages (term_id, fingerprint) where fingerprint is not null;

-- What the newest page of a term showed beside the places: names and ratings, one entry a place.
create table newest_pages (
  term_id integer primary key references term_names,
  -- That of the term, so that pages of a storefront are counted without their terms.
  country storefront not null,
  captured_at timestamptz(3) not null,
  shown json not null,
  -- The apps of the first ten places.
  top bigint[] not null default '{}',
  -- How many results the page said it has, where that is not the length of its list.
  stated bigint
);

create index newest_pages_by_top on newest_pages using gin (top);
-- Pages with apps enough to tell what a term is about.
create index newest_pages_telling on newest_pages (country) where cardinality(top) >= 5;

-- Imported pages that were said to be captured at the same instant as another one of their term: only one of them can be
-- the page of that instant. The others wait here, in case that one turns out to have been captured earlier.
create table duplicate_pages (
  term_id integer not null references term_names,
  captured_at timestamptz(3) not null,
  reading_id uuid not null,
  fingerprint bytea,
  primary key (term_id, captured_at, reading_id)
);

-- The pages turned around, for the history of one app: its ranks of a month by day, 31 places, null on days without a
-- rank. The last page of a day counts; the best rank is that of any page of the month. A row a month instead of a row a
-- rank: a year of a thousand keywords is twelve thousand rows, next to each other. Most updates set one place and touch
-- no index.
create table rank_months (
  store_id bigint not null,
  country storefront not null,
  month date not null,
  term_id integer not null,
  ranks smallint[] not null,
  best smallint not null,
  best_day date not null,
  primary key (store_id, country, month, term_id)
) with (fillfactor = 70);

-- On which days a term has a page, and how deep it is: no rank on such a day is an absence.
create table depth_months (
  term_id integer not null references term_names,
  month date not null,
  depths smallint[] not null,
  primary key (term_id, month)
) with (fillfactor = 70);

-- How terms are found that belong together: by their words here, and by the apps at the top of their newest pages.
-- The words of a term by their stems, stretches of unspaced script as their pairs of letters. Made with its first page, never changed: that
-- somebody tracks a term tells nobody else of it.
create table term_words (
  country storefront not null,
  word text collate "C" not null,
  term_id integer not null references term_names,
  primary key (country, word, term_id)
);

-- The newest answer for what was typed, in Apple's order. An empty one never replaces one that had suggestions.
create table hint_answers (
  country storefront not null,
  typed text collate "C" not null,
  observed_at timestamptz(3) not null,
  terms text[] collate "C" not null,
  reading_id uuid not null,
  -- Decides between answers of one instant that say the same (`Reading.key`).
  reading_key text collate "C" not null default '',
  primary key (country, typed)
);

-- The last search for a term that failed, until one succeeds.
create table search_failures (
  term_id integer primary key references term_names,
  failed_at timestamptz(3) not null,
  code answer_failure not null,
  message text not null
);

-- The last time Apple did not say what it suggests for something typed, until it does.
create table hint_failures (
  country storefront not null,
  typed text collate "C" not null,
  failed_at timestamptz(3) not null,
  code answer_failure not null,
  message text not null,
  primary key (country, typed)
);

-- Apps an account follows; they are kept fresher than the rest.
create table tracked_apps (
  app_id uuid primary key,
  account_id uuid not null references accounts,
  store_id bigint not null,
  country storefront not null,
  role tracked_role not null,
  tracked_at timestamptz(3) not null default now(),
  unique (account_id, store_id, country)
);

create index tracked_apps_by_app on tracked_apps (store_id, country);
create index tracked_apps_of_account on tracked_apps (account_id, country);

create table tracked_keywords (
  keyword_id uuid primary key,
  app_id uuid not null references tracked_apps on delete cascade,
  term_id integer not null references term_names,
  added_at timestamptz(3) not null default now(),
  unique (app_id, term_id)
);

create index tracked_keywords_of_term on tracked_keywords (term_id);
-- What was removed, so that removing it again is known from an id that never was.
create table removed_tracked_apps (
  app_id uuid primary key,
  account_id uuid not null references accounts
);

create table removed_keywords (
  keyword_id uuid primary key,
  app_id uuid not null
);
