-- What accounts follow and save is counted, too: a replica answers reads once it has all that is counted, so that whoever wrote
-- something sees it in the next read. Remembered replies do not rest on it.
alter domain evidence_area drop constraint evidence_area_check;
alter domain evidence_area add constraint evidence_area_check
  check (value in ('apps', 'charts', 'keywords', 'posts', 'ads', 'estimates', 'accounts', 'other'));
