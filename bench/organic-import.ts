import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { madePost } from './creative-writing.ts'
import { print, printTable, report } from './figures.ts'
import { observedAt } from './generate.ts'
import { databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'

/**
 * Posts a second of `rivalscope import organic` on PostgreSQL against a raw COPY (psql) of the rows it stored, into every
 * table it fills, indexes included. No post states its language, so each is recognised. Target: a third of COPY.
 *
 *   node bench/organic-import.ts               100,000 posts of our own shape
 *   node bench/organic-import.ts --posts 20000
 */
const { values } = parseArgs({ options: { posts: { type: 'string', default: '100000' } } })
const posts = Number(values.posts)

/** Every table that the import fills, in an order that keeps their references. */
const filled = [
  'payloads',
  'readings',
  'posts',
  'post_metrics',
  'post_authors',
  'post_grounds',
  'post_mentions',
  'known_handles',
  'post_search',
  'post_sort_keys',
]

const file = await postsFile()
const store = await freshDatabase('organic_import')
try {
  const first = importPosts()
  const again = importPosts()
  for (const table of filled) psql(`\\copy (select * from ${table}) to '${dumpOf(table)}'`)
  const counts = await Promise.all(
    filled.map(async (table) => (await countOf(table)) as readonly [string, number]),
  )
  psql(`truncate ${filled.join(', ')} cascade`)
  const seconds = filled.map(copyInto)
  const all = seconds.reduce((sum, one) => sum + one, 0)
  report({ name: 'import organic, of COPY', value: all / first.seconds, unit: '×', goal: { atLeast: 0.33 } })
  print(`import organic: ${posts.toLocaleString('en')} posts, peak memory ${first.megabytes} MB`)
  printTable(
    ['way', 'seconds', 'posts/s', 'import / COPY'],
    [
      ['rivalscope import', first.seconds, Math.round(posts / first.seconds), ''],
      ['the same import again', again.seconds, Math.round(posts / again.seconds), ''],
      ['COPY every table it fills', all, Math.round(posts / all), all / first.seconds],
    ],
  )
  print(
    counts.map(([table, rows], index) => `${table} ${rows} rows ${seconds[index]?.toFixed(1)} s`).join(', '),
  )
} finally {
  await store[Symbol.asyncDispose]()
  await dropDatabase('organic_import')
}

/** A file of made-up posts of our own shape, one a line. */
async function postsFile(): Promise<string> {
  const path = join(directory, `posts-${posts}.ndjson`)
  if (existsSync(path)) return path
  const out = createWriteStream(path)
  for (let at = 0; at < posts; at++) {
    const { network, author, facts, metrics, storeId } = madePost(at)
    const { authorName, followers, language: _, detectedLanguage: __, text, ...rest } = facts
    const address = storeId ? ` https://apps.apple.com/us/app/x/id${storeId}` : ''
    const line = JSON.stringify({
      network,
      id: network === 'tiktok' || network === 'x' ? String(7e15 + at) : String(at).padStart(11, 'a'),
      author: { handle: author, name: authorName, followers },
      ...rest,
      text: `${text}${address}`,
      metrics,
      observedAt,
    })
    if (!out.write(`${line}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return path
}

/** Imports in a process of its own; its start is part of the time. */
function importPosts(): { seconds: number; megabytes: number } {
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const options = [
    '--database-url',
    databaseUrl('organic_import'),
    '--rejected',
    join(directory, 'rejected.ndjson'),
  ]
  const { stderr, stdout, status } = spawnSync(
    '/usr/bin/time',
    ['-f', '%e %M', command, 'import', 'organic', file, ...options],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  if (!/rejected 0 /.test(stdout)) throw new Error(stdout)
  const [seconds = 0, kilobytes = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { seconds, megabytes: Math.round(kilobytes / 1024) }
}

function copyInto(table: string): number {
  const started = performance.now()
  psql(`\\copy ${table} from '${dumpOf(table)}'`)
  return (performance.now() - started) / 1000
}

async function countOf(table: string): Promise<[string, number]> {
  const said = execFileSync(
    'psql',
    ['-qXAtc', `select count(*) from ${table}`, databaseUrl('organic_import')],
    {
      encoding: 'utf8',
    },
  )
  return [table, Number(said)]
}

function psql(command: string): void {
  execFileSync('psql', ['-qXv', 'ON_ERROR_STOP=1', databaseUrl('organic_import'), '-c', command])
}

function dumpOf(table: string): string {
  return join(directory, `${table}.copy`)
}
