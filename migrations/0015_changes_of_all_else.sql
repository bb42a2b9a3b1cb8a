-- Replies are remembered until the store changes. So what a reply can rest on besides shared evidence is counted, too: how
-- collecting goes, what is worked on, what accounts ask for. Pages are told of shared evidence alone.
alter domain evidence_area drop constraint evidence_area_check;
alter domain evidence_area add constraint evidence_area_check
  check (value in ('apps', 'charts', 'keywords', 'posts', 'ads', 'estimates', 'other'));
