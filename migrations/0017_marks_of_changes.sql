-- A database that was restored, or failed over without its last transactions, counts on from a lower number and comes to the same
-- one with other content. So each change leaves a mark as well, drawn by lot: the sum of all marks tells two such states apart.
alter table evidence_changes add column mark bigint not null default (random() * 9007199254740991)::bigint;
