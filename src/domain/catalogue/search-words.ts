import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { writtenRows } from '../../storage/written-rows.ts'
import { deletionVariants, typosOf, wordHalves } from '../../text/typo-tolerance.ts'
import type { AppRecord } from './record.ts'
import { replaceSearchDocuments } from './record-writes.ts'
import { type SearchEntry, searchEntry } from './search-document.ts'

/** Apps between which other work gets its turn. */
const appsAtATime = 50

/** The search documents of apps, each from its records of all storefronts. */
export async function searchEntries(apps: readonly AppRecord[][]): Promise<SearchEntry[]> {
  const entries: SearchEntry[] = []
  for (const [index, records] of apps.entries()) {
    if (index % appsAtATime === 0) await setImmediate()
    entries.push(searchEntry(records))
  }
  return entries
}

/** Adds apps and their words to the search tables. @param known whether the apps were there before */
export async function addAppsToSearch(
  db: Database,
  entries: readonly SearchEntry[],
  known: boolean,
): Promise<void> {
  await replaceSearchDocuments(
    db,
    entries.map(({ document }) => document),
    known,
  )
  await addNameWords(db, distinct(entries.map(({ nameWords }) => nameWords)))
  await addDescribedWords(db, distinct(entries.map(({ describedWords }) => describedWords)))
}

function distinct(words: readonly ReadonlySet<string>[]): string[] {
  const all = new Set<string>()
  for (const some of words) for (const word of some) all.add(word)
  return [...all]
}

/**
 * Words whose misspellings search forgives. There are few of names, found by their deletion variants, at edit distance two
 * as well. There are many of descriptions: they are found by the half of the word that one edit leaves as it is, which
 * needs no entries beside the word itself.
 */

/** Adds words of names and developers that are not stored. */
export async function addNameWords(db: Database, words: readonly string[]): Promise<void> {
  const unknown = await unknownWords(db, 'search_words', words)
  if (unknown.length === 0) return
  const sent = unknown.map((word) => ({ word, deletionVariants: deletionVariants(word) }))
  await sql`
    insert into search_words (word, deletion_variants)
    select word, "deletionVariants" from json_to_recordset(${JSON.stringify(sent)}::json)
      as sent(word text, "deletionVariants" text[])
    on conflict (word) do nothing`.execute(db)
  writtenRows(db).add('search_words', unknown.length)
}

/** Adds words of descriptions that are not stored. */
async function addDescribedWords(db: Database, words: readonly string[]): Promise<void> {
  const unknown = await unknownWords(db, 'described_words', words)
  if (unknown.length === 0) return
  await sql`
    insert into described_words (word)
    select word from json_array_elements_text(${JSON.stringify(unknown)}::json) as sent(word)
    on conflict (word) do nothing`.execute(db)
  writtenRows(db).add('described_words', unknown.length)
}

/** The words that a table lacks, looked up by key: a cluster cannot look up each word of a list in a subquery. */
async function unknownWords(
  db: Database,
  table: 'search_words' | 'described_words',
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 0) return []
  const known = await rows(
    db,
    sql<{ word: string }>`select word from ${sql.table(table)} where word = any(${[...words]}::text[])`,
  )
  const stored = new Set(known.map(({ word }) => word))
  return words.filter((word) => !stored.has(word))
}

/** Maximum stored words that are compared for each half of a misspelt word, in alphabetical order. */
const mostOfHalf = 2_000
/** Sorts after every letter. */
const last = '\u{10ffff}'

/**
 * Words of the catalogue that may be meant by these, each with the word it was asked for: all that are at edit distance one
 * or a slip of the hand away, and others. Few names share a variant, which statistics do not tell: by them the planner would at times rather walk all words in
 * their order. It guesses better where it cannot see the variants, nor what order and limit come after.
 */
export function similarlySpelledWords(
  db: Database,
  asked: readonly string[],
): Promise<{ asked: string; word: string }[]> {
  if (asked.length === 0) return Promise.resolve([])
  const near = asked.map((word) => {
    const { start, end } = wordHalves(word)
    const letters = [...word].length
    const slips = [...typosOf(word)]
    const asLong = sql`char_length(w.word) between ${letters - 1}::int and ${letters + 1}::int`
    return sql`
      select ${word}::text as asked, near.word
      from (
        (select w.word from (
            select word from search_words where deletion_variants && (select ${deletionVariants(word)}::text[]) offset 0
          ) w order by w.word limit 200)
        union
        (select w.word from described_words w
          where w.word >= ${start}::text collate "C" and w.word < ${start + last}::text collate "C" and ${asLong}
          order by w.word limit ${mostOfHalf})
        union
        (select w.word from described_words w
          where reverse(w.word) collate "C" >= ${end}::text collate "C"
            and reverse(w.word) collate "C" < ${end + last}::text collate "C" and ${asLong}
          order by reverse(w.word) collate "C" limit ${mostOfHalf})
        union
        (select word from search_words where word = any(${slips}::text[]))
        union
        (select word from described_words where word = any(${slips}::text[]))
      ) near`
  })
  return rows(db, sql<{ asked: string; word: string }>`${sql.join(near, sql` union all `)}`)
}
