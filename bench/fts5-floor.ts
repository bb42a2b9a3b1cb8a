import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { print } from './figures.ts'
import type { BenchApp } from './generate.ts'

/**
 * The floor under search_competitors: SQLite FTS5 with bm25 behind a bare node:http handler, which answers the questions of
 * bench/questions.ts with the first 25 as JSON. It knows nothing of other storefronts, misspellings, scripts without spaces and totals.
 *
 *   bin/node bench/fts5-floor.ts APPS.ndjson STORE.sqlite      the store is made where there is none
 */
const [file = '', store = ''] = process.argv.slice(2)
if (!existsSync(store)) make()
const db = new DatabaseSync(store, { readOnly: true })
const statements = new Map<string, StatementSync>()

const server = createServer((asked, reply) => {
  const body = JSON.stringify(answer(new URL(asked.url ?? '', 'http://floor').searchParams))
  reply
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
})
server.listen(0, '127.0.0.1', () => print(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))

function answer(asked: URLSearchParams): unknown {
  const conditions: string[] = []
  const values: SQLInputValue[] = []
  const where = (condition: string, value: SQLInputValue) => {
    conditions.push(condition)
    values.push(value)
  }
  const words = asked.get('q')?.match(/[\p{L}\p{N}]+/gu)
  if (words) where('texts match ?', `${words.map((word) => `"${word}"`).join(' ')}*`)
  for (const [name, condition] of Object.entries(filters)) {
    const value = asked.get(name)
    if (value !== null) where(condition, name === 'releasedFrom' || name === 'price' ? value : Number(value))
  }
  const order = words ? 'bm25(texts, 10, 2, 1)' : (orders[asked.get('sort') ?? ''] ?? orders['rating-count'])
  const from = words ? 'texts join apps on apps.id = texts.rowid' : 'apps'
  const text = `select apps.id, apps.name, apps.developer, rating, ratings, price, genre, released, updated, art from ${from}
    where ${conditions.join(' and ') || 'true'} order by ${order} limit 25`
  const statement = statements.get(text) ?? db.prepare(text)
  statements.set(text, statement)
  return { items: statement.all(...values) }
}

const filters = {
  categoryId: 'genre = ?',
  price: "(price > 0) = (? = 'paid')",
  minRating: 'rating >= ?',
  minRatingCount: 'ratings >= ?',
  releasedFrom: 'released >= ?',
}

const orders: Record<string, string> = {
  'rating-count': 'ratings desc',
  rating: 'rating desc',
  released: 'released desc',
  updated: 'updated desc',
  name: 'apps.name',
}

function make(): void {
  const making = `${store}.making`
  rmSync(making, { force: true })
  const made = new DatabaseSync(making)
  made.exec(`
    pragma journal_mode = off; pragma synchronous = off;
    create table apps (id integer primary key, name text, developer text, rating real, ratings integer, price real,
      genre integer, released text, updated text, art text);
    create virtual table texts using fts5(name, developer, description, content = '', tokenize = 'unicode61 remove_diacritics 2');
    begin`)
  const app = made.prepare('insert into apps values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const text = made.prepare('insert into texts (rowid, name, developer, description) values (?, ?, ?, ?)')
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
    const { trackId, trackName, artistName, description, ...rest } = JSON.parse(line) as BenchApp
    const { averageUserRating, userRatingCount, price, primaryGenreId } = rest
    const { releaseDate, currentVersionReleaseDate, artworkUrl100 } = rest
    const numbers = [averageUserRating, userRatingCount, price, primaryGenreId]
    app.run(trackId, trackName, artistName, ...numbers, releaseDate, currentVersionReleaseDate, artworkUrl100)
    text.run(trackId, trackName, artistName, description)
  }
  made.exec(`insert into texts (texts) values ('optimize'); commit;
    create index by_ratings on apps (ratings); create index by_rating on apps (rating); create index by_name on apps (name);
    create index by_release on apps (released); create index by_update on apps (updated); create index by_genre on apps (genre, ratings);
    analyze`)
  made.close()
  renameSync(making, store)
}
