-- The localizations that a listing can have, by their codes in App Store Connect (src/data/storefronts.json).
create domain localization as text check (value in (
  'ar-SA', 'bn-BD', 'ca', 'cs', 'da', 'de-DE', 'el', 'en-AU', 'en-CA', 'en-GB', 'en-US', 'es-ES', 'es-MX', 'fi',
  'fr-CA', 'fr-FR', 'gu-IN', 'he', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'kn-IN', 'ko', 'ml-IN', 'mr-IN', 'ms',
  'nl-NL', 'no', 'or-IN', 'pa-IN', 'pl', 'pt-BR', 'pt-PT', 'ro', 'ru', 'sk', 'sl-SI', 'sv', 'ta-IN', 'te-IN',
  'th', 'tr', 'uk', 'ur-PK', 'vi', 'zh-Hans', 'zh-Hant'
));

-- What a storefront showed of an app when it was asked in another language than its own. It stands apart from `app_records` and
-- `listing_versions`, which hold the default alone (docs/decisions/0096-listings-by-localization.md). Whether it only repeats the
-- default is told where it is read, so that the order of arrival does not matter.
create table localized_readings (
  store_id bigint not null,
  country storefront not null,
  language localization not null,
  observed_at timestamptz(3) not null,
  reading_key text collate "C" not null,
  reading_id uuid not null,
  source registered_name not null,
  origin origin not null,
  time_basis time_basis not null,
  -- By field of the listing, the hash of its text; null where the source carried the field and had no value.
  fields jsonb not null,
  primary key (store_id, country, language, observed_at, reading_key)
);

-- The texts of those fields without pictures, each once for an app, whatever the storefront and the language.
create table localized_texts (
  store_id bigint not null,
  text_hash text collate "C" not null,
  content text not null,
  primary key (store_id, text_hash)
);

comment on table localized_readings is 'by store_id: grows with readings of apps in other languages';
comment on table localized_texts is 'by store_id: grows with texts of listings in other languages';

-- When an app was last asked for in another language, whatever came of it. A row is one tracked app, storefront and language.
create table localization_checks (
  store_id bigint not null,
  country storefront not null,
  language localization not null,
  checked_at timestamptz(3) not null,
  primary key (store_id, country, language)
);

comment on table localization_checks is 'by store_id: grows with tracked apps, their storefronts and languages';
