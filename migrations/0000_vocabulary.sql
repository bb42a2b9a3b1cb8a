-- The lists of words that columns hold, each once: a word that is added is one `alter domain`, for all tables. They equal
-- the lists of src/vocabulary, which tests/schema.test.ts holds them to. What is a list of code, with a file for each entry
-- (sources, formats of payloads, kinds of work), is open here, so that a new entry needs no migration.

-- What the code has a table of, by name.
create domain registered_name as text check (value ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$');

-- Storefronts by their codes, `--` where a source has none.
create domain storefront_or_none as text check (value in (
  '--',
  'ae', 'af', 'ag', 'ai', 'al', 'am', 'ao', 'ar', 'at', 'au', 'az', 'ba', 'bb', 'be', 'bf', 'bg', 'bh', 'bj',
  'bm', 'bn', 'bo', 'br', 'bs', 'bt', 'bw', 'by', 'bz', 'ca', 'cd', 'cg', 'ch', 'ci', 'cl', 'cm', 'cn', 'co',
  'cr', 'cv', 'cy', 'cz', 'de', 'dk', 'dm', 'do', 'dz', 'ec', 'ee', 'eg', 'es', 'fi', 'fj', 'fm', 'fr', 'ga',
  'gb', 'gd', 'ge', 'gh', 'gm', 'gr', 'gt', 'gw', 'gy', 'hk', 'hn', 'hr', 'hu', 'id', 'ie', 'il', 'in', 'iq',
  'is', 'it', 'jm', 'jo', 'jp', 'ke', 'kg', 'kh', 'kn', 'kr', 'kw', 'ky', 'kz', 'la', 'lb', 'lc', 'lk', 'lr',
  'lt', 'lu', 'lv', 'ly', 'ma', 'md', 'me', 'mg', 'mk', 'ml', 'mm', 'mn', 'mo', 'mr', 'ms', 'mt', 'mu', 'mv',
  'mw', 'mx', 'my', 'mz', 'na', 'ne', 'ng', 'ni', 'nl', 'no', 'np', 'nr', 'nz', 'om', 'pa', 'pe', 'pg', 'ph',
  'pk', 'pl', 'pt', 'pw', 'py', 'qa', 'ro', 'rs', 'ru', 'rw', 'sa', 'sb', 'sc', 'se', 'sg', 'si', 'sk', 'sl',
  'sn', 'sr', 'st', 'sv', 'sz', 'tc', 'td', 'th', 'tj', 'tm', 'tn', 'to', 'tr', 'tt', 'tw', 'tz', 'ua', 'ug',
  'us', 'uy', 'uz', 'vc', 've', 'vg', 'vn', 'vu', 'xk', 'ye', 'za', 'zm', 'zw'
));
create domain storefront as storefront_or_none check (value <> '--');

create domain chart_kind as text check (value in ('top-free', 'top-paid', 'top-grossing'));
create domain emerging_kind as text check (value in ('new-in-charts', 'rising'));
create domain device as text check (value in ('iphone', 'ipad'));
create domain network as text check (value in ('tiktok', 'instagram', 'youtube', 'reddit', 'x'));
create domain ad_platform as text check (value in ('meta', 'tiktok'));

-- How a payload was come by.
create domain origin as text check (value in ('collected', 'imported', 'sample'));
create domain time_basis as text check (value in ('clock', 'payload', 'stated', 'file-name', 'file-modified'));

-- The way in by which an account brought evidence, or decided.
create domain door as text check (value in ('http', 'mcp'));
create domain work_state as text check (value in ('queued', 'running', 'succeeded', 'partial', 'failed'));

-- Why a source could not be asked.
create domain failure_kind as text check (value in (
  'throttled', 'refused', 'unavailable', 'unreachable', 'certificate', 'timeout', 'too-large', 'cut-off',
  'not-json', 'unexpected-shape', 'too-much', 'credential', 'permission', 'not-found', 'circuit-open'
));

-- Why a term has no answer: `suspect-empty` held nothing where earlier answers held something.
create domain answer_failure as text check (value in (
  'throttled', 'refused', 'unavailable', 'unreachable', 'certificate', 'timeout', 'too-large', 'cut-off',
  'not-json', 'unexpected-shape', 'too-much', 'credential', 'permission', 'not-found', 'circuit-open',
  'suspect-empty'
));

-- What of an app is checked.
create domain check_kind as text check (value in ('lookup', 'page'));

-- How a try of a chart ended.
create domain attempt_outcome as text check (value in ('stored', 'empty', 'suspect-empty', 'failed'));

-- What accounts wish to know of an app, and how a wish stands.
create domain data_kind as text check (value in (
  'record', 'similar', 'organic', 'aso', 'estimates', 'media', 'charts'
));
create domain request_status as text check (value in ('open', 'fulfilled', 'dismissed'));
create domain tracked_role as text check (value in ('own', 'rival', 'watched'));

-- Fields of a listing whose changes are kept.
create domain listing_field as text check (value in (
  'name', 'subtitle', 'developer', 'seller', 'description', 'version', 'price', 'primaryCategoryId',
  'bundleId', 'contentRating', 'minimumOsVersion', 'iconUrl', 'screenshotsIphone', 'screenshotsIpad',
  'screenshotsTv', 'previews', 'inAppPurchases', 'compatibility', 'languagesShown', 'sizeShown', 'copyright'
));

-- Apps that Apple shows beside an app.
create domain apple_list_kind as text check (value in ('similar', 'same-developer'));
create domain estimate_metric as text check (value in ('downloads', 'revenue'));
create domain estimate_method as text check (value in ('chart-rank', 'rating-growth', 'grossing-rank'));

-- Why a day has no estimate.
create domain estimate_absence as text check (value in ('no-snapshot', 'outside-valid-range', 'too-little-evidence'));

-- Who says that an account belongs to an app.
create domain handle_basis as text check (value in ('listing', 'profile'));

-- Why a creative is held to belong to an app, and where in it that was found.
create domain ground_kind as text check (value in ('store-url', 'known-handle', 'landing-url'));
create domain ground_place as text check (value in ('text', 'profile', 'author', 'link'));

-- What people decide.
create domain link_action as text check (value in ('link', 'unlink'));
create domain medium_kind as text check (value in ('video', 'image', 'thumbnail'));

-- How a copy of a medium does.
create domain copy_status as text check (value in ('pending', 'stored', 'removed-upstream', 'failed', 'not-kept'));
create domain transcript_outcome as text check (value in ('available', 'no-speech', 'unavailable'));

-- How the reading of an ad import ended.
create domain import_ending as text check (value in ('end', 'limit', 'failed'));
