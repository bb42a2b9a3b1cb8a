-- Fields that an observation carried in a form that cannot be read; where no other observation measured them, that is the reason.
alter table app_records add column unreadable text[];
