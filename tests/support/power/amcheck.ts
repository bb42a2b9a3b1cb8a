/** Queries a database. */
export type Ask = <Row>(text: string) => Promise<Row[]>

interface Relation {
  name: string
  method: string
}

/**
 * Errors that amcheck finds in the tables and indexes of a database, and how many it checked. It does not support GIN
 * before PostgreSQL 18, nor uniqueness before 17.
 */
export async function amcheck(ask: Ask): Promise<{ checked: number; faults: string[] }> {
  await ask('create extension if not exists amcheck')
  const [server] = await ask<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  const version = server?.version ?? 0
  const unique = version >= 17 ? ', checkunique => true' : ''
  const relations = await ask<Relation>(`
    select c.oid::regclass::text as name, am.amname as method
    from pg_class c join pg_am am on am.oid = c.relam left join pg_index i on i.indexrelid = c.oid
    where c.relpersistence = 'p' and am.amname in ('heap', 'btree', 'gin') and coalesce(i.indisvalid, true)
      and c.relkind in ('r', 't', 'm', 'i')
    order by 1`)
  const faults: string[] = []
  for (const { name, method } of relations) {
    const relation = `'${name.replaceAll("'", "''")}'::regclass`
    try {
      if (method === 'btree') await ask(`select bt_index_check(${relation}, heapallindexed => true${unique})`)
      else if (method === 'gin') {
        if (version >= 18) await ask(`select gin_index_check(${relation})`)
      } else {
        const found = await ask<{ blkno: number; msg: string }>(
          `select blkno, msg from verify_heapam(${relation})`,
        )
        faults.push(...found.slice(0, 3).map(({ blkno, msg }) => `${name}, block ${blkno}: ${msg}`))
      }
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return { checked: relations.length, faults }
}
