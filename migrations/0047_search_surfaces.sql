-- A term is searched on several surfaces, and each has pages, ranks and histories of its own: a term of another surface is a row of its
-- own, with its own number, so nothing that is kept by term can mix them (docs/decisions/0098-ranks-by-surface.md).
create domain search_surface as text check (value in ('itunes-search', 'app-store-search'));

alter table term_names add column surface search_surface not null default 'itunes-search';
alter table term_names drop constraint term_names_country_term_key;
alter table term_names add constraint term_names_country_term_surface_key unique (country, term, surface);

-- Terms of the Search API, on which scores, suggestions, watches and comparisons rest.
create or replace view terms as
select n.term_id, n.country, n.term, n.half, s.page_at, s.page_day, s.page_depth, coalesce(s.pages, 0) as pages, s.deepest,
  s.first_results_at, s.difficulty, s.difficulty_formula, s.autocomplete, s.autocomplete_formula, s.opportunity,
  s.opportunity_formula
from term_names n
left join term_states s using (term_id)
where n.surface = 'itunes-search';

-- The same of every surface.
create view surface_terms as
select n.term_id, n.country, n.term, n.half, s.page_at, s.page_day, s.page_depth, coalesce(s.pages, 0) as pages, s.deepest,
  s.first_results_at, s.difficulty, s.difficulty_formula, s.autocomplete, s.autocomplete_formula, s.opportunity,
  s.opportunity_formula, n.surface
from term_names n
left join term_states s using (term_id);

-- The surface that the workstation of an account shows.
alter table accounts add column surface search_surface not null default 'itunes-search';

-- Whether a term had results before, by source.
drop index readings_by_term;
create index readings_by_term on readings (country, (context ->> 'term'), observed_at)
  where source in ('itunes-search', 'apple-search-hints', 'app-store-search');
