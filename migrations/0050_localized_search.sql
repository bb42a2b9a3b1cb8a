-- Words by which an app is found in a storefront in another language than the storefront's own. They stand apart from `app_search`,
-- whose words are those of the defaults of all storefronts.
create table localized_search (
  store_id bigint not null,
  country storefront not null,
  language localization not null,
  -- Name and subtitle; and the storefront as a term of its own.
  name_terms tsvector not null,
  -- These and the description.
  all_terms tsvector not null,
  primary key (store_id, country, language)
);
create index localized_search_name_terms on localized_search using gin (name_terms);
create index localized_search_all_terms on localized_search using gin (all_terms);

comment on table localized_search is 'by store_id: grows with apps read in other languages';
