import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../storage/database.ts'
import type { AppRecord } from './record.ts'
import { replaceSearchDocuments } from './record-writes.ts'
import { type SearchEntry, searchEntry } from './search-document.ts'
import { addDescribedWords, addNameWords } from './search-word-queries.ts'

/** Apps between which other work gets its turn. */
const appsAtATime = 50

/** What search is to store of apps; each with its records of all storefronts. */
export async function searchEntries(apps: readonly AppRecord[][]): Promise<SearchEntry[]> {
  const entries: SearchEntry[] = []
  for (const [index, records] of apps.entries()) {
    if (index % appsAtATime === 0) await setImmediate()
    entries.push(searchEntry(records))
  }
  return entries
}

/** Puts apps and their words where search finds them. @param known whether the apps were in search before */
export async function addToSearch(
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
