-- E-mail beside webhooks and feeds, at once or as a digest (docs/decisions/0048-watches.md).
alter domain way_kind drop constraint way_kind_check;
alter domain way_kind add constraint way_kind_check check (value in ('webhook', 'feed', 'email'));

create domain digest as text check (value in ('immediate', 'daily', 'weekly'));

alter table watch_ways add column digest digest;
-- Up to where digests have told; the next one begins there. Null for ways without digests.
alter table watch_ways add column told_until timestamptz(3);
-- The end of the digest that was attempted and not settled, which stays the same with every attempt, and the first attempt.
alter table watch_ways add column digest_until timestamptz(3);
alter table watch_ways add column digest_since timestamptz(3);

alter table watch_ways add constraint watch_ways_digest check ((kind = 'email') = (digest is not null)
  and (coalesce(digest, 'immediate') <> 'immediate') = (told_until is not null)
  and (digest_until is null) = (digest_since is null) and (digest_until is null or told_until is not null));
