-- How many newest result pages of a storefront have an app among their first places, counted up to a bound. A function, since
-- PostgreSQL plans it once for all apps that it is asked for, and a cluster of Citus does not plan a bounded count for each of several
-- apps in one statement (docs/cluster.md).
create function newest_pages_showing(app bigint, storefront text, most integer) returns integer
language plpgsql stable as $$
begin
  return (
    select count(*)::int from (
      select 1 from newest_pages n join term_names t using (term_id)
      where n.top @> array[app] and t.country = storefront limit most
    ) pages
  );
end $$;
