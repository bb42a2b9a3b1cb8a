import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { openStore } from '../src/storage/store.ts'
import { countPosts, fillCreatives } from './creative-store.ts'
import { print } from './figures.ts'
import { databaseExists, databaseUrl, freshDatabase } from './stores.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '1000000' } } })
const count = Number(values.count)
const name = `creatives_${count}`
const started = performance.now()
{
  await using store = await freshDatabase(name)
  await fillCreatives(store, count)
  print(`filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
