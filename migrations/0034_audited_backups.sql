-- How old the newest backup is, and how many have failed since, is asked at each look at the metrics.
create index audit_events_backups on audit_events (outcome, at) where operation = 'backup';
