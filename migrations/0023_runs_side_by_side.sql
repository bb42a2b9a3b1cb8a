-- Discovery runs with other windows keep scores of their own: how much an app rises depends on how many days are looked at.
alter table emerging_apps add column window_days smallint;

update emerging_apps e
set window_days = coalesce((select (w.input ->> 'windowDays')::smallint from work w where w.work_id = e.run_id), 14);

alter table emerging_apps alter column window_days set not null;
alter table emerging_apps drop constraint emerging_apps_pkey;
alter table emerging_apps add primary key (country, category_id, store_id, window_days);

drop index emerging_apps_by_score;
create index emerging_apps_by_score on emerging_apps (country, category_id, window_days, score desc, store_id);

-- The newest run is looked for whatever its window and limit.
create index work_discoveries on work ((input ->> 'country'), (coalesce(input ->> 'categoryId', '0')), work_id desc)
where kind = 'emerging-discovery';
