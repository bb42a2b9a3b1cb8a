-- What a search asks of the records that it has found, beside their ids: a record itself is twenty times as wide.
create index app_records_found on app_records (country, store_id)
  include (sort_name, rating_count, rating, price, released_at, updated_at, category_ids, developer_id);
