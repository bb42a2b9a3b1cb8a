-- What grows, by what, and how it would be thinned. `by <column>` is what a cluster would part a table by: the column stands
-- in every key of the table, and the table refers to none but small ones, which every node of a cluster can hold whole
-- (docs/decisions/0032-months-and-keys.md). tests/schema.test.ts reads these comments.

comment on table payloads is 'by payload_hash: grows with what upstreams said; thinned by dropping the parts of old months, together with those of readings';
comment on table readings is 'by payload_hash: grows with every answer and file; thinned by dropping the parts of old months, then their identities';

comment on table reading_identities is 'by identity: grows with readings; thinned after a month of readings was dropped, by reading_id';

comment on table app_records is 'by store_id: grows with apps and storefronts';
comment on table listing_versions is 'by store_id: grows with changes of listings; old versions can be deleted by last_seen_at, the newest of a field stays';
comment on table listing_sightings is 'by store_id: grows with every reading of a listing; those before the oldest version kept can be deleted';
comment on table chart_sightings is 'by store_id: grows with apps in charts; as listing_sightings';
comment on table app_search is 'by store_id: grows with apps';
comment on table rating_observations is 'by store_id: grows with apps, storefronts and days; days between months can be deleted once growth no longer asks for them';
comment on table apple_lists is 'by store_id: grows with apps and storefronts';
comment on table app_checks is 'by store_id: grows with apps and storefronts';
comment on table check_failures is 'by store_id: grows with apps that could not be checked; a row goes when it goes well';
comment on table chart_ranks is 'by store_id: grows with charts, days and places; thinned by dropping the parts of old months';
comment on table emerging_apps is 'by store_id: grows with discoveries; those of old runs can be deleted by found_at';
comment on table own_sales is 'by store_id: grows with own apps, storefronts and days';
comment on table estimates is 'by store_id: grows with apps, storefronts and days; thinned by dropping the parts of old months';
comment on table rank_months is 'by store_id: grows with keywords and the apps on their pages; thinned by month';

comment on table chart_snapshots is 'by chart_id: grows with charts and days; thinned by captured_at, after the ranks of the same months';

comment on table term_states is 'by term_id: grows with terms';
comment on table term_words is 'by term_id: grows with terms';
comment on table newest_pages is 'by term_id: grows with terms';
comment on table result_pages is 'by term_id: grows with terms and days; thinned by captured_at';
comment on table duplicate_pages is 'by term_id: grows with pages imported of one instant';
comment on table depth_months is 'by term_id: grows with terms and months; thinned by month';
comment on table search_failures is 'by term_id: grows with terms whose search failed; a row goes when one succeeds';

comment on table hint_answers is 'by typed: grows with what was typed';
comment on table hint_failures is 'by typed: grows with what was typed in vain; a row goes when it goes well';

comment on table search_words is 'by word: grows with words of names and developers';
comment on table described_words is 'by word: grows with words of descriptions';
comment on table word_weights is 'by word: grows with words of listings; weighed anew as a whole';

comment on table posts is 'by post_number: grows with posts';
comment on table post_search is 'by post_number: grows with posts';
comment on table post_sort_keys is 'by post_number: grows with posts';
comment on table post_metrics is 'by post_number: grows with posts and observations; thinned by observed_at, the newest of a post stays';
comment on table post_grounds is 'by post_number: grows with posts and apps';
comment on table post_mentions is 'by post_number: grows with posts';

comment on table post_authors is 'by author: grows with authors of posts';

comment on table known_handles is 'by handle: grows with accounts that apps and profiles name';

comment on table ads is 'by ad_number: grows with ads';
comment on table ad_search is 'by ad_number: grows with ads';
comment on table ad_sort_keys is 'by ad_number: grows with ads';
comment on table ad_observations is 'by ad_number: grows with ads and observations; thinned by observed_at, the newest of an ad stays';
comment on table ad_creatives is 'by ad_number: grows with cards and variants of ads';
comment on table ad_grounds is 'by ad_number: grows with ads and apps';
comment on table ad_links is 'by ad_number: grows with ads and apps';

comment on table ad_advertisers is 'by advertiser_id: grows with advertisers';

comment on table ad_transcripts is 'by archive_id: grows with ads that were heard';
comment on table ad_analyses is 'by archive_id: grows with ads that were read';

comment on table archived_media is 'by media_id: grows with media that copies were asked of';

comment on table media_objects is 'by sha256: grows with copies; what no copy names any more can be deleted, with its object in the store of media';

comment on table accounts is 'small: people and programs';
comment on table api_keys is 'small: keys';
comment on table idempotent_replies is 'small: a day of writes with a key';
comment on table store_secret is 'small: one row';
comment on table rate_limits is 'small: callers of a minute';
comment on table work is 'small: what was asked for of late: ended work goes after 30 days once it is asked for again';
comment on table work_requesters is 'small: as work';
comment on table upstream_rate_limits is 'small: upstreams';
comment on table source_health is 'small: sources and storefronts';
comment on table suspect_answers is 'small: empty answers';
comment on table data_requests is 'small: wishes of accounts';
comment on table charts is 'small: storefronts, kinds, genres and devices';
comment on table chart_attempts is 'small: as charts';
comment on table calibrations is 'small: charts with own figures';
comment on table term_names is 'small: terms that somebody looked at; on every node, since everything about a term refers to it';
comment on table tracked_apps is 'small: apps that accounts follow';
comment on table tracked_keywords is 'small: keywords that accounts follow';
comment on table removed_tracked_apps is 'small: what they followed';
comment on table removed_keywords is 'small: what they followed';
comment on table word_weight_runs is 'small: one row';
comment on table rating_scales is 'small: storefronts';
comment on table rating_scale_runs is 'small: one row';
comment on table post_decisions is 'small: decisions of people';
comment on table declared_handles is 'small: declarations of people';
comment on table ad_decisions is 'small: decisions of people';
comment on table saved_posts is 'small: what accounts saved';
comment on table saved_ads is 'small: what accounts saved';
comment on table media_requests is 'small: what accounts want copies of';
comment on table ad_imports is 'small: runs that were asked for';
comment on table ad_previews is 'small: previews of a while';
comment on table model_usage is 'small: days';
