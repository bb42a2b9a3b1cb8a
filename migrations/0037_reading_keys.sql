-- Decides between readings that say the same of one instant (`Reading.key`).
alter table readings add column reading_key text collate "C";
update readings set reading_key = left(encode(identity, 'hex'), 16);
alter table readings alter column reading_key set not null;

-- Evidence of posts and ads names it; of one instant, the greater comes first.
update posts p set evidence = (
  select jsonb_agg(entry || jsonb_build_object('key', coalesce(r.reading_key, ''))
    order by entry ->> 'observedAt' desc, r.reading_key desc nulls last, r.reading_id desc)
  from jsonb_array_elements(p.evidence) as entry
  left join readings r on r.reading_id = (entry ->> 'readingId')::uuid)
where jsonb_array_length(p.evidence) > 0;

update ads a set evidence = (
  select jsonb_agg(entry || jsonb_build_object('key', coalesce(r.reading_key, ''))
    order by entry ->> 'observedAt' desc, r.reading_key desc nulls last, r.reading_id desc)
  from jsonb_array_elements(a.evidence) as entry
  left join readings r on r.reading_id = (entry ->> 'readingId')::uuid)
where jsonb_array_length(a.evidence) > 0;
