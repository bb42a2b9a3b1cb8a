-- As `app_records.unreadable`; those of the cards of an ad and of media stand in their facts.
alter table posts add column unreadable text[];
alter table ads add column unreadable text[];
