-- The operator's own daily figures, as App Store Connect or a table of theirs told them. A figure that was not told is
-- null: it is not zero.
create table own_sales (
  store_id bigint not null,
  country storefront not null,
  day date not null,
  downloads bigint,
  revenue numeric,
  currency text,
  reading_id uuid not null,
  primary key (store_id, country, day),
  constraint own_sales_currency check (revenue is null or currency is not null)
);

-- Every calibration ever made, used or not; the newest of a chart and metric is the one that counts. They outlive a
-- replay, so they name their chart in words.
create table calibrations (
  calibration_id integer generated always as identity primary key,
  country storefront not null,
  kind chart_kind not null,
  category_id integer not null,
  device device not null,
  metric estimate_metric not null,
  currency text,
  scale double precision not null,
  slope double precision not null,
  slope_fitted boolean not null,
  -- The logarithm of the rank where level and slope do not depend on each other, and the standard deviations of the
  -- logarithm: of the level, of the slope, between apps and between days of one app.
  centre double precision not null,
  level_sd double precision not null,
  slope_sd double precision not null,
  app_sd double precision not null,
  day_sd double precision not null,
  -- What the own apps, and what is assumed before there are many, say of the error between apps.
  between_apps double precision not null,
  apps integer not null,
  rank_from integer not null,
  rank_to integer not null,
  points integer not null,
  held_out integer not null,
  error_before double precision,
  error_after double precision not null,
  error_constant double precision not null,
  covered double precision not null,
  used boolean not null,
  calibrated_at timestamptz(3) not null
);

create index calibrations_of_chart on calibrations (country, kind, category_id, device, metric, calibration_id desc);

-- One row for each day, metric and version of the model, so that a change of the model is never a silent step. A day
-- that could not be estimated holds the reason. Pages keep room: a refresh writes the same days again.
create table estimates (
  store_id bigint not null,
  country storefront not null,
  metric estimate_metric not null,
  day date not null,
  version text not null,
  method estimate_method,
  low numeric,
  mid numeric,
  high numeric,
  currency text,
  valid_from integer,
  valid_to integer,
  calibration_id integer references calibrations,
  inputs jsonb not null,
  reason estimate_absence,
  computed_at timestamptz(3) not null,
  primary key (store_id, country, metric, day, version),
  constraint estimates_currency check (metric <> 'revenue' or mid is null or currency is not null)
) partition by range (day);
