-- Work is shared by all accounts that ask for the same; that somebody asked for it is told to nobody else. Without an
-- account it is the installation's own, and told to everybody.
create table work_askers (
  work_id uuid not null references work on delete cascade,
  account_id uuid references accounts,
  -- What it is about, as this account named it.
  asked_as text,
  unique nulls not distinct (work_id, account_id)
);

-- Who asked for what is there already was not noted.
insert into work_askers (work_id)
select work_id from work where kind in ('intake', 'keyword-refresh', 'estimate-refresh');

-- Which accounts want copies of the media of a post or an ad, as `kept_media.owner` names it; it outlives their saving.
create table media_wishes (
  account_id uuid not null references accounts,
  owner text collate "C" not null,
  primary key (account_id, owner)
);

-- Copies that the installation wants, or a transcript that all accounts share: everybody sees how these do.
alter table kept_media add column shared boolean not null default false;

insert into media_wishes (account_id, owner)
select account_id, 'post ' || post_id from saved_posts
union all
select account_id, 'ad ' || platform || '/' || archive_id from saved_ads;

update kept_media k set shared = true
where not exists (select from media_wishes w where w.owner = k.owner);

-- Terms are found by their words once a page of them is stored: that somebody tracks one tells nobody else of it.
delete from term_words w using terms t where t.term_id = w.term_id and t.page_at is null;
