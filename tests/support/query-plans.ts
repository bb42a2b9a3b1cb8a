import type { PoolClient } from 'pg'
import type { Store } from '../../src/storage/store.ts'

/** A node of a plan, from `explain (format json)`. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Parent Relationship'?: string
  Filter?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** What was asked of the store. */
export interface Work {
  /** Access paths of large tables, deduplicated and sorted. */
  ways: string[]
  statements: number
  /** Rows of all tables that were looked at, whether they were wanted or not; statements that write are left out. */
  rows: number
}

type Counted = Omit<Work, 'ways'> & { ways: Set<string> }

const explainable = /^\s*(?:select|with|insert|update|delete)\b/i
/** Whether who asks and the limit of their account are remembered, or looked up anew, is a matter of seconds; so is what the queue asks by its own clock. */
const byTheClock =
  /\bapi_keys\b|\bselect most_requests_per_minute\b|\bfrom pgboss\.(?:queue|bam)\b|\bupdate pgboss\.version\b/i
const writes = /\b(?:insert into|update|delete from|for (?:no key )?update)\b/i

/**
 * Records how PostgreSQL reads tables in every statement on a store: large ones by which index, or by a sequential scan, and
 * how many rows. Costs and joins are ignored, because they vary.
 */
export class QueryPlans {
  readonly #seen = new WeakSet<PoolClient>()
  readonly #parents: Map<string, string>
  readonly #large: Set<string>
  #work: Counted | undefined

  private constructor(parents: Map<string, string>, large: Set<string>) {
    this.#parents = parents
    this.#large = large
  }

  /** @param large rows above which a table is large */
  static async on(store: Store, large: number): Promise<QueryPlans> {
    // Partitions and their indexes have names of their own, some with a month.
    const { rows } = await store.pool.query<{ child: string; parent: string }>(`
      select c.relname as child, p.relname as parent
      from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent`)
    const tables = await store.pool.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and reltuples > ${large}`,
    )
    const plans = new QueryPlans(
      new Map(rows.map(({ child, parent }) => [child, parent])),
      new Set(tables.rows.map(({ name }) => name)),
    )
    for (const pool of [store.pool, store.requests.pool]) pool.on('acquire', (client) => plans.#watch(client))
    return plans
  }

  /** @returns what the action asked of the store, without looking up who acts and what the queue asks by itself */
  async of(perform: () => Promise<unknown>): Promise<Work> {
    const work = { ways: new Set<string>(), statements: 0, rows: 0 }
    this.#work = work
    try {
      await perform()
    } finally {
      this.#work = undefined
    }
    return { ways: [...work.ways].sort(), statements: work.statements, rows: Math.round(work.rows) }
  }

  #watch(client: PoolClient): void {
    if (this.#seen.has(client)) return
    this.#seen.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const explained = async (work: Counted, text: string, values: unknown) => {
      work.statements++
      const options = writes.test(text) ? 'format json' : 'analyze, timing off, format json'
      const { rows } = (await query(`explain (${options}) ${text}`, values)) as {
        rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[]
      }
      for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) {
        this.#note(work.ways, Plan)
        work.rows += rowsOf(Plan)
      }
      return query(text, values)
    }
    client.query = ((...given: unknown[]) => {
      const work = this.#work
      const [text] = given
      if (!work || typeof text !== 'string' || !explainable.test(text) || byTheClock.test(text))
        return query(...given)
      const answered = given.at(-1)
      if (typeof answered !== 'function') return explained(work, text, given[1])
      // The pool asks with a callback.
      const values = given.length > 2 ? given[1] : undefined
      explained(work, text, values).then(
        (result) => answered(undefined, result),
        (error) => answered(error),
      )
      return undefined
    }) as typeof client.query
  }

  #note(ways: Set<string>, node: PlanNode, of?: string): void {
    const { 'Node Type': kind, 'Relation Name': table = of, 'Index Name': index, Plans = [] } = node
    const named = (name: string) => this.#parents.get(name) ?? name
    // Whether a table has any row is known from its first one.
    const first = node['Parent Relationship'] === 'InitPlan' && node.Filter === undefined
    if (table && this.#large.has(table)) {
      if (index) ways.add(`index ${named(index)}`)
      else if (kind === 'Seq Scan' && !first) ways.add(`whole ${named(table)}`)
    }
    // The index of a bitmap scan is a node of its own, without the name of the table.
    for (const part of Plans) this.#note(ways, part, kind.startsWith('Bitmap') ? table : undefined)
  }
}

/** Rows that the scans of a plan looked at. */
function rowsOf(node: PlanNode): number {
  const { 'Actual Rows': rows = 0, 'Actual Loops': loops = 0, Plans = [] } = node
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] ? (rows + removed) * loops : 0
  return Plans.reduce((sum, part) => sum + rowsOf(part), own)
}
