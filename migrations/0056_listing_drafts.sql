-- Texts that an account plans for a listing in a storefront (docs/decisions/0119-plan-a-listing.md). Nobody else ever sees them.
create table listing_drafts (
  draft_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  store_id bigint not null,
  country storefront not null,
  name text not null,
  -- What differs from the own listing, by localization and field.
  texts json not null,
  -- Grows with each change: whoever writes names the one that they saw.
  version integer not null default 1,
  changed_at timestamptz(3) not null default now()
);

create index listing_drafts_of_account on listing_drafts (account_id, store_id, country);

comment on table listing_drafts is 'small: texts that accounts plan, at most twenty for an app and storefront';
