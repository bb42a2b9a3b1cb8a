-- A formula is named as `chart-rank/1`, with what it used in brackets: `chart-rank/1 (cal-3)`.
update estimates
set version = regexp_replace(
  regexp_replace(version, '^(chart-rank|rating-growth|grossing-rank)-([0-9]+)', '\1/\2'),
  '/(cal-[0-9]+)$', ' (\1)')
where version ~ '^(chart-rank|rating-growth|grossing-rank)-[0-9]';
