-- The App Store ad repository names the app of an ad by its id.
alter domain ground_kind drop constraint ground_kind_check;
alter domain ground_kind add constraint ground_kind_check
  check (value in ('store-url', 'known-handle', 'landing-url', 'named-app'));
alter domain ground_place drop constraint ground_place_check;
alter domain ground_place add constraint ground_place_check check (value in ('text', 'profile', 'author', 'link', 'record'));

-- How the answers of a source differ from the form known here, while they are read all the same; null while they do not.
alter table source_health add column differs_since timestamptz(3);
alter table source_health add column differences text;
