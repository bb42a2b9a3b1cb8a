-- By which words what is stored is found: folding, stems and stop words have a version (src/text/words-version.ts). What was stored with
-- words of an older one is given those of now, kind by kind, in the background. A kind without a row has those of before the first.
create table word_indexes (
  indexed text collate "C" primary key,
  version integer not null,
  -- The last that was given the words of this version, as its kind names it; null where all have them.
  reached text collate "C"
);

comment on table word_indexes is 'small: one row for each kind of what is found by words';
