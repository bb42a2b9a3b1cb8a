import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BenchApp } from './generate.ts'
import type { Question } from './questions.ts'
import { catalogueFile, directory } from './stores.ts'

/**
 * The floor under search: what anybody has who puts the same apps into SQLite's FTS5 and asks it in this process, by bm25, names ten
 * times descriptions. It reads the documents of the first 25; it knows no misspelt words and no words within Chinese, counts nothing, and
 * says nothing of what a match rests on.
 */
export interface FullTextFloor extends Disposable {
  /** @returns how many were found, at most 25 */
  find(question: Question): number
}

const columns: Record<string, string> = {
  categoryId: 'category = ?',
  minRating: 'rating >= cast(? as real)',
  minRatingCount: 'ratings >= cast(? as integer)',
  releasedFrom: 'released >= ?',
}
const orders: Record<string, string> = {
  rating: 'rating desc',
  released: 'released desc',
  updated: 'updated desc',
  name: 'name',
}

/** Made on first use, of the file that the store is filled with. */
export function fullTextFloor(apps: number): FullTextFloor {
  const file = join(directory, `fts5-${apps}.sqlite`)
  if (!existsSync(file)) fillFullText(file, catalogueFile(apps))
  const db = new DatabaseSync(file, { readOnly: true })
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  return {
    find({ kind, path }) {
      const asked = new URL(path, 'http://bench.invalid').searchParams
      const q = asked.get('q')
      const wanted = q ? ['texts match ?'] : ['true']
      const given = q ? [matchOf(q, kind === 'prefix')] : []
      for (const [name, condition] of Object.entries(columns))
        if (asked.has(name)) {
          wanted.push(condition)
          given.push(asked.get(name) ?? '')
        }
      if (asked.has('price')) wanted.push(asked.get('price') === 'free' ? 'price = 0' : 'price > 0')
      const order = q ? 'bm25(texts, 10, 3, 1)' : (orders[asked.get('sort') ?? ''] ?? 'ratings desc')
      const narrowed = wanted.length > 1
      const from = q ? `texts${narrowed ? ' join apps on apps.id = texts.rowid' : ''}` : 'apps'
      // Documents are read of the first 25 alone: sorted beside all matches they would take more than half of the time.
      const first = `select ${q ? 'texts.rowid' : 'apps.id'} as id from ${from} where ${wanted.join(' and ')} order by ${order} limit 25`
      const statement = `select document from (${first}) first join apps on apps.id = first.id`
      let prepared = statements.get(statement)
      if (!prepared) {
        prepared = db.prepare(statement)
        statements.set(statement, prepared)
      }
      return prepared.all(...given).length
    },
    [Symbol.dispose]: () => db.close(),
  }
}

function matchOf(q: string, isBeginning: boolean): string {
  const words = q.split(/\s+/).map((word) => `"${word.replaceAll('"', '""')}"`)
  return `${words.join(' ')}${isBeginning ? ' *' : ''}`
}

/** @param source a file of iTunes records, one a line */
function fillFullText(file: string, source: string): void {
  const db = new DatabaseSync(file)
  db.exec(`
    pragma journal_mode = off; pragma synchronous = off;
    create virtual table texts using fts5(name, developer, description, content='', prefix='2 3 4');
    create table apps (id integer primary key, name text, category text, price real, rating real, ratings integer,
      released text, updated text, document text);
    begin`)
  const text = db.prepare('insert into texts (rowid, name, developer, description) values (?, ?, ?, ?)')
  const record = db.prepare('insert into apps values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const line of readFileSync(source, 'utf8').split('\n').filter(Boolean)) {
    const app = JSON.parse(line) as BenchApp
    text.run(app.trackId, app.trackName, app.artistName, app.description)
    const { trackId, trackName, primaryGenreId, price, averageUserRating, userRatingCount } = app
    const dates = [app.releaseDate, app.currentVersionReleaseDate]
    const facts = [trackId, trackName, String(primaryGenreId), price, averageUserRating, userRatingCount]
    record.run(...facts, ...dates, line)
  }
  db.exec(`
    commit;
    create index by_rating on apps (rating desc); create index by_ratings on apps (ratings desc);
    create index by_released on apps (released desc); create index by_updated on apps (updated desc);
    create index by_name on apps (name); create index by_category on apps (category, ratings desc); analyze`)
  db.close()
}
