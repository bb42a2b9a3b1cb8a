import { createKey } from './domain/accounts/keys.ts'
import { revokeKeys } from './domain/accounts/queries.ts'
import { tidySearch } from './domain/catalogue/record-writes.ts'
import { countReadings } from './domain/evidence/queries.ts'
import { importSample } from './imports/import-sample.ts'
import type { Terminal } from './operator/terminal.ts'
import { sampleEvidence } from './sample/sample-evidence.ts'
import type { Database } from './storage/database.ts'
import { openStore, type StoreLocation } from './storage/store.ts'

/** The same evidence on every machine: its days end here. */
const sample = { seed: 7, until: '2026-11-20' }
/** Documents the sample consists of, for the progress bar. */
const sampleDocuments = 1_862

/** Fills a store with the sample evidence. One that was cut off goes on where it stopped. */
export async function fillWithSample(location: StoreLocation, terminal: Terminal): Promise<void> {
  await using store = await openStore(location, 'rivalscope demo')
  if ((await countReadings(store.db)) >= sampleDocuments) return
  terminal.note(
    'Making sample evidence: 400 invented apps, ninety days of charts in three countries, searches, posts and ads.',
  )
  await importSample(store.db, sampleEvidence(sample), (done) =>
    terminal.progress({ label: 'sample evidence', done, total: sampleDocuments, unit: 'records' }),
  )
  await tidySearch(store.db)
}

/** A fresh key for the demo; the one of the run before ends. */
export async function demoKey(db: Database): Promise<string> {
  await revokeKeys(db, 'demo')
  return createKey(db, { name: 'demo', scopes: ['context:read', 'content:write'], account: 'demo' })
}

/** What the demo says once it answers: the address, the key, and three calls that work. */
export function demoGreeting(address: string, key: string): string {
  const call = (path: string) => `  curl -s -H 'Authorization: Bearer ${key}' '${address}${path}'`
  return [
    '',
    'Rivalscope is running on made-up evidence. Nothing here is a real app.',
    '',
    `  address    ${address}`,
    `  reference  ${address}/docs`,
    `  key        ${key}`,
    '',
    'Search the catalogue, look at a chart, follow one app through it:',
    '',
    call('/v1/competitors?q=sleep&limit=3'),
    call('/v1/charts?country=jp&chart=top-free&limit=5'),
    call(`/v1/charts/apps/${demoApp}/history?country=us`),
    '',
    'Stop it with Ctrl-C.',
    '',
  ].join('\n')
}

const demoApp = '9000000001'
