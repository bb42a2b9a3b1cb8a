-- Whether a key may bring evidence of its own: inline ad records and links.
alter table api_keys add column brings_evidence boolean not null default true;

-- Of readings that an account brought, and through which door. What was withdrawn is kept and derived from no longer.
alter table readings add column account_id uuid references accounts, add column door text, add column withdrawn_at timestamptz;
create index readings_of_run on readings ((context ->> 'run')) where account_id is not null;

alter table ad_imports add column door text not null default 'http', add column withdrawn_at timestamptz(3);
alter table ad_decisions add column door text not null default 'http';

-- `brought`: no source showed it, an account did. What a source shows takes its place.
alter table ad_observations add column brought boolean not null default false,
  -- Every reading that showed the ad at that instant, those among them that say nothing more than others.
  add column reading_ids uuid[] not null default '{}';
update ad_observations set reading_ids = array[reading_id];
alter table ad_creatives add column brought boolean not null default false;
alter table ad_grounds add column brought boolean not null default false;
alter table ad_advertisers add column brought boolean not null default false;
