import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { payloadHash, rawPayload } from '../../src/domain/evidence/packed-payload.ts'
import { type Packed, packedColumns, withDictionaries } from '../../src/domain/evidence/payload-queries.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { openFolder } from './files.ts'
import type { World } from './world.ts'

/** A text of an app that no other one has. */
const textOf = (id: number) =>
  Array.from({ length: 60 }, (_, at) => ((id * 7919 + at * 104_729) % 999_983).toString(36)).join(' ')

/** A page of 50 results, of the same apps in another order every day. */
export function dailyPage(day: number): string {
  const results = Array.from({ length: 50 }, (_, at) => 1 + ((at * 7 + day * 3) % 50)).map((id) => ({
    wrapperType: 'software',
    kind: 'software',
    trackId: id,
    trackName: `App ${id}`,
    description: textOf(id),
    userRatingCount: id * 1_000 + day,
    averageUserRating: 4.5,
  }))
  return JSON.stringify({ resultCount: results.length, results })
}

/** Imports that page as one of a day of March 2026. */
export const importDailyPage = (
  world: World,
  folder: ReturnType<typeof openFolder>,
  day: number,
  term = 'budget',
) =>
  world.import({
    kind: 'search-results',
    paths: [folder.write('page.json', dailyPage(day))],
    term,
    country: 'us',
    observedAt: `2026-03-${String(day).padStart(2, '0')}`,
  })

/** A payload as it is stored. */
interface StoredPayload extends Packed {
  hash: string
}

/** All payloads, by hash. */
export const storedPayloads = (db: Database): Promise<StoredPayload[]> =>
  rows(
    db,
    sql<StoredPayload>`select encode(payload_hash, 'hex') as hash, ${packedColumns} from payloads order by 1`,
  )

/** Bytes of payloads as they are stored. */
export const packedBytes = (stored: readonly StoredPayload[]) =>
  stored.reduce((sum, { content }) => sum + content.byteLength, 0)

/** Asserts that each payload is, byte for byte, what its hash is of. */
export async function expectEveryByte(db: Database): Promise<void> {
  const stored = await storedPayloads(db)
  const packed = await withDictionaries(db, stored)
  for (const [at, { hash }] of stored.entries()) {
    const found = packed[at]
    assert.equal(found && payloadHash(await rawPayload(found)), hash)
  }
}
