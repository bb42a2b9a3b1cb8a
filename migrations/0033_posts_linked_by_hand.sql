-- What the operator decided: that a post belongs to an app or does not. One standing decision for each post and app. Posts are
-- named by their public ids, so a replay leaves it alone.
create table post_decisions (
  post_id text collate "C" not null,
  store_id bigint not null,
  action text not null check (action in ('link', 'unlink')),
  note text,
  decided_at timestamptz(3) not null,
  primary key (post_id, store_id)
);

create index post_decisions_of_app on post_decisions (store_id);

-- Accounts of networks that the operator declared to be an app's. Unlike claims in known_handles, several apps may have one.
create table declared_handles (
  network text not null,
  -- Lower case, without @.
  handle text collate "C" not null,
  store_id bigint not null,
  declared_at timestamptz(3) not null,
  primary key (network, handle, store_id)
);

create index declared_handles_of_app on declared_handles (store_id);

-- The apps posts belong to after all: one row for each ground, of what was found and what was decided together, without
-- what the operator undid. Everything that reads links reads this.
create view post_links as
select g.*
from (
  select post_number, store_id, kind, found_in, text, reading_id, recorded_at, null::timestamptz(3) as decided_at
  from post_grounds
  union all
  select p.post_number, d.store_id, 'manual', 'decision', coalesce(d.note, d.post_id), null, d.decided_at, d.decided_at
  from post_decisions d
  join posts p using (post_id)
  where d.action = 'link'
  union all
  -- As old as the younger of its two halves, as grounds by known accounts are.
  select p.post_number, h.store_id, 'declared-handle', 'author',
    case h.network when 'reddit' then 'u/' else '@' end || h.handle, null,
    greatest(h.declared_at, p.first_observed_at), h.declared_at
  from declared_handles h
  join posts p on p.network = h.network and p.author = h.handle
  union all
  select m.post_number, h.store_id, 'declared-handle', 'text',
    case h.network when 'reddit' then 'u/' else '@' end || h.handle, null,
    greatest(h.declared_at, m.observed_at), h.declared_at
  from declared_handles h
  join post_mentions m on m.network = h.network and m.handle = h.handle
) g
where not exists (
  select from post_decisions d
  join posts p using (post_id)
  where d.action = 'unlink' and p.post_number = g.post_number and d.store_id = g.store_id
);
