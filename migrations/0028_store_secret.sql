-- Made once, with the store: what this installation handed out and takes back is known by it. Two random UUIDs hold 244
-- bits that nobody can guess.
create table store_secret (
  only_one boolean primary key default true check (only_one),
  secret bytea not null
);

insert into store_secret (secret)
values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
