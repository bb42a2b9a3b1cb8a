-- In a cluster, accounts and what they follow stay on the coordinator, as plain tables. A foreign key between those and what is
-- distributed would make every table of accounts and work one of the cluster's. Neither accounts nor terms are ever deleted.
alter table readings drop constraint readings_account_id_fkey;
alter table tracked_keywords drop constraint tracked_keywords_term_id_fkey;
