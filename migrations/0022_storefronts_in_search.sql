-- Search knows which storefronts have a record of an app, and its tier there: a term `#c`, the country, the tier.
update app_search s
set name_terms = s.name_terms || known.terms, all_terms = s.all_terms || known.terms
from (
  select store_id, array_to_tsvector(array_agg('#c' || country || case
    when rating_count >= 50000 then '0'
    when rating_count >= 5000 then '1'
    when rating_count >= 500 then '2'
    when rating_count >= 20 then '3'
    else '4' end)) as terms
  from app_records group by store_id
) known
where known.store_id = s.store_id;
