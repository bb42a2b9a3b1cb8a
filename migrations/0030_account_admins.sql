-- Who may make, renew and end keys of their own account: a key, or a person of the OpenID provider while signed in.
alter table api_keys add column administers boolean not null default false;
alter table sessions add column administers boolean not null default false;
