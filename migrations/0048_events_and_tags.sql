-- What Apple added to listings: tags, a summary of reviews, in-app events, and media for the header and for search.
alter table app_records add column tags text[];
alter table app_records add column review_summary text;
alter table app_records add column events jsonb;
alter table app_records add column header_media text[];
alter table app_records add column search_media text[];

alter domain listing_field drop constraint listing_field_check;
alter domain listing_field add constraint listing_field_check check (value in (
  'name', 'subtitle', 'developer', 'seller', 'description', 'version', 'price', 'primaryCategoryId',
  'bundleId', 'contentRating', 'minimumOsVersion', 'iconUrl', 'screenshotsIphone', 'screenshotsIpad',
  'screenshotsTv', 'previews', 'inAppPurchases', 'compatibility', 'languagesShown', 'sizeShown', 'copyright',
  'tags', 'reviewSummary', 'events', 'headerMedia', 'searchMedia'
));

-- Few ads and posts name a custom product page: those of an app are found without reading its others.
create index ad_creatives_of_product_pages on ad_creatives (ad_number) where facts ? 'productPageId';
create index posts_of_product_pages on posts (post_number) where facts::text ~* 'ppid(=|%3d)';
