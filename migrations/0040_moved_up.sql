-- No app is called rising: what charts show is that it moved up (docs/decisions/0077-moved-up.md). What runs of before found is
-- told by the new names until the next run scores it anew, and a back-test of theirs compared with apps that fall by themselves.
alter domain emerging_kind drop constraint emerging_kind_check;
update emerging_apps set kind = 'moved-up' where kind = 'rising';
alter domain emerging_kind add constraint emerging_kind_check check (value in ('new-in-charts', 'moved-up'));
update emerging_apps set reasons = replace(replace(reasons::text, '"fast-climb"', '"moved-up"'), '"rose from about ', '"moved up from about ')::jsonb
  where reasons::text like '%"fast-climb"%';
update work set result = jsonb_set(result, '{backtest}', 'null') where kind = 'emerging-discovery' and result ? 'backtest';

alter domain watch_kind drop constraint watch_kind_check;
update watches set kind = 'emerging', definition = jsonb_set(definition, '{kind}', '"emerging"') where kind = 'rising';
update watch_events set kind = 'emerging' where kind = 'rising';
alter domain watch_kind add constraint watch_kind_check
  check (value in ('top', 'moved', 'chart', 'listing', 'release', 'ads', 'emerging', 'source', 'import'));
