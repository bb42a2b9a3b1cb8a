import { sql } from 'kysely'
import { bytesOnDisk, distributeColocated } from '../storage/colocation.ts'
import { type Database, rows } from '../storage/database.ts'

/** The schema of tables being rebuilt, and of the replaced ones afterwards. It only exists during a replay. */
export const rebuildSchema = 'rivalscope_rebuild'
export const replacedSchema = 'rivalscope_replaced'

/** Sets the search path of a transaction: the tables being rebuilt, then the served ones of everything else. */
export async function useRebuildSchema(db: Database, served: string): Promise<void> {
  await sql`set local search_path = ${sql.id(rebuildSchema)}, ${sql.id(served)}`.execute(db)
}

/** A table with its partitions, parents first; and views of them. */
export interface SwappedTables {
  tables: string[]
  views: string[]
}

/** The tables of a partition tree in one schema, and the views that read them, in the order of their dependencies. */
export async function swappedTablesIn(
  db: Database,
  schema: string,
  tables: readonly string[],
): Promise<SwappedTables> {
  const roots = sql`(select format('%I.%I', ${schema}::text, name)::regclass as root from unnest(${[...tables]}::text[]) as name)`
  const found = await rows(
    db,
    sql<{ name: string }>`
      select c.relname as name
      from ${roots} r cross join lateral (
        select relid, level from pg_partition_tree(r.root) union select r.root, 0
      ) t
      join pg_class c on c.oid = t.relid
      group by r.root, c.relname order by r.root, min(t.level), c.relname`,
  )
  const views = await rows(
    db,
    sql<{ name: string }>`
      with recursive reading as (
        select root::oid as relation, 0 as depth from ${roots} r
        union
        select w.ev_class, d.depth + 1
        from reading d
        join pg_depend p on p.refobjid = d.relation and p.classid = 'pg_rewrite'::regclass
        join pg_rewrite w on w.oid = p.objid and w.ev_class <> d.relation
      )
      select c.relname as name from reading join pg_class c on c.oid = relation
      where depth > 0 group by c.relname order by max(depth)`,
  )
  return { tables: found.map(({ name }) => name), views: views.map(({ name }) => name) }
}

/** Bytes on disk, with indexes and partitions. */
export async function bytesOfTables(db: Database, tables: readonly string[]): Promise<number> {
  return [...(await bytesOnDisk(db, tables)).values()].reduce((sum, bytes) => sum + bytes, 0)
}

/**
 * Creates empty tables beside the served ones with the same structure: columns, partitions, constraints, indexes with their
 * names, views, comments and privileges; on a cluster, distributed like them. The structure is read from the database, so that a
 * migration needs no change here.
 */
export async function createRebuildTables(
  db: Database,
  served: string,
  tables: readonly string[],
): Promise<void> {
  // Read with only the served schema in the search path: PostgreSQL then writes table names without their schema.
  const { making, joining } = await statementsFor(db, served, tables)
  await useRebuildSchema(db, served)
  for (const statement of making) await sql.raw(statement).execute(db)
  for (const table of tables) await distributeColocated(db, `${rebuildSchema}.${table}`, `${served}.${table}`)
  for (const statement of joining) await sql.raw(statement).execute(db)
}

/** The statements that create tables, and those that create references, which a cluster accepts after both are distributed. */
async function statementsFor(
  db: Database,
  served: string,
  tables: readonly string[],
): Promise<{ making: string[]; joining: string[] }> {
  const made = sql`
    (select format('%I.%I', ${served}::text, name)::regclass as root, place from unnest(${[...tables]}::text[]) with ordinality as name(name, place))`
  const found = await rows(
    db,
    sql<{ step: number; place: string; level: number; relname: string; statement: string }>`
      with made as materialized ${made}, relations as (
        select c.oid, c.relname, c.relkind, c.reloptions, c.relacl, c.relowner, c.relpartbound, made.place, t.level,
          parent.relname as parent
        from made cross join lateral (
          select relid, parentrelid, level from pg_partition_tree(made.root)
          union select made.root, null, 0 where (select relkind from pg_class where oid = made.root) <> 'p'
        ) t
        join pg_class c on c.oid = t.relid
        left join pg_class parent on parent.oid = t.parentrelid
      )
      select 1 as step, place, level, relname, case
          when level = 0 then format('create table %I.%I (like %I.%I including all excluding indexes)', ${rebuildSchema}::text, relname, ${served}::text, relname)
          else format('create table %I.%I partition of %I.%I %s', ${rebuildSchema}::text, relname, ${rebuildSchema}::text, parent, pg_get_expr(relpartbound, oid))
        end || case when relkind = 'p' then ' partition by ' || pg_get_partkeydef(oid) else '' end
        || coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '') as statement
      from relations
      union all
      select case contype when 'f' then 4 else 2 end, place, 0, conname,
        format('alter table %I.%I add constraint %I %s', ${rebuildSchema}::text, relname, conname, pg_get_constraintdef(k.oid))
      from relations r join pg_constraint k on k.conrelid = r.oid
      where r.level = 0 and contype in ('p', 'u', 'x', 'f') and conparentid = 0
      union all
      select 3, place, r.level, i.relname,
        regexp_replace(pg_get_indexdef(i.oid), ' ON (ONLY )?\\S+ USING ', format(' ON %I.%I USING ', ${rebuildSchema}::text, r.relname))
      from relations r join pg_index x on x.indrelid = r.oid join pg_class i on i.oid = x.indexrelid
      where not i.relispartition and not exists (select 1 from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
      union all
      select 5, place, level, relname, format('grant %s on %I.%I to %s%s', a.privilege_type, ${rebuildSchema}::text, relname,
        case when a.grantee = 0 then 'public' else a.grantee::regrole::text end, case when a.is_grantable then ' with grant option' else '' end)
      from relations r cross join lateral aclexplode(r.relacl) a
      where a.grantee <> r.relowner
      union all
      select 5, place, level, relname, format('comment on table %I.%I is %L', ${rebuildSchema}::text, relname, d.description)
      from relations r join pg_description d on d.objoid = r.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
      order by step, place, level, relname`,
  )
  const { views } = await swappedTablesIn(db, served, tables)
  const seen = await rows(
    db,
    sql<{ statement: string }>`
      select format('create view %I.%I as %s', ${rebuildSchema}::text, c.relname, pg_get_viewdef(c.oid)) as statement
      from unnest(${views}::text[]) with ordinality as v(name, place)
      join pg_class c on c.oid = format('%I.%I', ${served}::text, v.name)::regclass
      order by v.place`,
  )
  const granted = await rows(
    db,
    sql<{ statement: string }>`
      select format('grant %s on %I.%I to %s%s', a.privilege_type, ${rebuildSchema}::text, c.relname,
        case when a.grantee = 0 then 'public' else a.grantee::regrole::text end, case when a.is_grantable then ' with grant option' else '' end) as statement
      from unnest(${views}::text[]) as name
      join pg_class c on c.oid = format('%I.%I', ${served}::text, name)::regclass
      cross join lateral aclexplode(c.relacl) a
      where a.grantee <> c.relowner`,
  )
  const [making = [], joining = []] = [true, false].map((makes) =>
    found.filter(({ step }) => step < 4 === makes).map(({ statement }) => statement),
  )
  return { making, joining: [...joining, ...[...seen, ...granted].map(({ statement }) => statement)] }
}
