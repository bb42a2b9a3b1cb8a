import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { rows } from '../src/storage/database.ts'
import type { Store } from '../src/storage/store.ts'
import { openTestStore } from '../src/storage/testing.ts'

interface Column {
  table: string
  column: string
  /** As PostgreSQL writes it, `timestamp(3) with time zone`. */
  type: string
}

let store: Store
let columns: readonly Column[]
before(async () => {
  store = await openTestStore()
  columns = await rows(
    store.db,
    sql<Column>`
      select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and c.relname not like 'kysely%'
      order by 1, 2`,
  )
})
after(() => store[Symbol.asyncDispose]())

const named = ({ table, column, type }: Column) => `${table}.${column} ${type}`

test('every time in the store holds milliseconds, as JavaScript does', () => {
  const times = columns.filter(({ type }) => type.startsWith('timestamp'))
  assert.ok(times.length > 50)
  assert.deepEqual(times.filter(({ type }) => type !== 'timestamp(3) with time zone').map(named), [])
})

test('money is decimal, and its currency stands beside it', () => {
  const money = columns.filter(({ table, column }) =>
    table === 'estimates' ? ['low', 'mid', 'high'].includes(column) : /price|revenue|amount/.test(column),
  )
  assert.ok(money.length >= 5)
  assert.deepEqual(money.filter(({ type }) => !/^(numeric|integer|bigint)/.test(type)).map(named), [])
  const withCurrency = new Set(columns.filter(({ column }) => column === 'currency').map(({ table }) => table))
  assert.deepEqual(money.filter(({ table }) => !withCurrency.has(table)).map(named), [])
})

test('own revenue without a currency is refused', async () => {
  await assert.rejects(
    sql`insert into own_sales (store_id, country, day, revenue, reading_id)
      values (1, 'us', '2026-03-01', 1, gen_random_uuid())`.execute(store.db),
    /own_sales_currency/,
  )
})
