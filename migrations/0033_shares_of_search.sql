-- Indexes of the first apps of a tier by their number: a common word has enough matches among few of them.
create index app_search_2_64_by_name on app_search_2 using gin (name_terms) where store_id % 512 < 64;
create index app_search_2_64_by_all on app_search_2 using gin (all_terms) where store_id % 512 < 64;
create index app_search_3_64_by_name on app_search_3 using gin (name_terms) where store_id % 512 < 64;
create index app_search_3_64_by_all on app_search_3 using gin (all_terms) where store_id % 512 < 64;
create index app_search_3_8_by_name on app_search_3 using gin (name_terms) where store_id % 512 < 8;
create index app_search_3_8_by_all on app_search_3 using gin (all_terms) where store_id % 512 < 8;
create index app_search_4_64_by_name on app_search_4 using gin (name_terms) where store_id % 512 < 64;
create index app_search_4_64_by_all on app_search_4 using gin (all_terms) where store_id % 512 < 64;
create index app_search_4_8_by_name on app_search_4 using gin (name_terms) where store_id % 512 < 8;
create index app_search_4_8_by_all on app_search_4 using gin (all_terms) where store_id % 512 < 8;
create index app_search_4_1_by_name on app_search_4 using gin (name_terms) where store_id % 512 < 1;
create index app_search_4_1_by_all on app_search_4 using gin (all_terms) where store_id % 512 < 1;
