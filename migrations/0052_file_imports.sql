-- The bytes of a file that an account sent to be imported, in parts, until its import ends (docs/decisions/0115-files-by-drop.md). They lie
-- beside the work that reads them: any worker can, and both are stored together or not at all.
create table file_import_parts (
  work_id uuid not null references work on delete cascade,
  part integer not null,
  bytes bytea not null,
  primary key (work_id, part)
);

comment on table file_import_parts is 'small: files that wait for their import or are being imported';
