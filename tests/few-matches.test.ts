import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { expectationOf } from '../src/domain/catalogue/few-matches.ts'
import { computeWordWeights } from '../src/domain/catalogue/word-weights.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { tokens } from '../src/text/search-terms.ts'
import type { LocalizationCode } from '../src/vocabulary/storefronts.ts'
import { type Folder, openFolder } from './support/files.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let folder: Folder
before(async () => {
  world = await openWorld()
  folder = openFolder()
  await bring('us', (at) => ({ trackName: nameOf(at) }))
  await bring('de', (at) =>
    at % 3 === 0 ? { trackName: at % 2 === 0 ? nameOf(at) : `Laterne ${at}` } : undefined,
  )
  await bring('jp', (at) => (at % 4 === 0 ? { trackName: `家計簿 ${at} 写真` } : undefined))
  await bring('us', (at) => (at % 5 === 0 ? { trackName: `Farol ${at}` } : undefined), 'es-MX')
  await bring('de', (at) => (at > 190 ? { trackName: `Nur Laterne ${at}` } : undefined))
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const words = ['Lantern', 'Reader', 'Chess', 'Garden', 'Budget', 'Photo Album', 'Piano']
const nameOf = (at: number) =>
  `${words[at % 7]} ${words[(at * 3 + 1) % 7]} ${at % 10 === 0 ? 'Rare' : ''}`.trim()

/** Stores what a lookup answers for apps of 200 that are known there. */
async function bring(
  country: string,
  appAt: (at: number) => { trackName: string } | undefined,
  language?: LocalizationCode,
): Promise<void> {
  const results = Array.from({ length: 200 }, (_, at) => ({ at, app: appAt(at) })).flatMap(({ at, app }) =>
    app
      ? {
          ...{ wrapperType: 'software', kind: 'software', trackId: 1_000 + at, currency: 'USD' },
          ...{
            price: at % 4 === 0 ? 1.99 : 0,
            artistName: `Maker ${at % 20}`,
            primaryGenreId: 6_014,
            genreIds: ['6014'],
          },
          ...{
            userRatingCount: (at * 7_919) % 90_000,
            averageUserRating: 1 + (at % 5),
            description: `${words[at % 5]} at night.`,
          },
          ...{ releaseDate: `20${10 + (at % 15)}-01-01T00:00:00Z`, ...app },
        }
      : [],
  )
  const path = folder.write(
    `${country}${language ?? ''}${results.length}.json`,
    JSON.stringify({ resultCount: results.length, results }),
  )
  const where = language ? { country, language } : { country }
  const order = {
    kind: 'catalogue',
    paths: [path],
    observedAt: '2026-05-01T00:00:00Z',
    format: 'itunes-lookup',
  } as const
  assert.equal((await world.import({ ...order, ...where })).rejected, 0)
}

const asked = [
  ...[
    'lantern',
    'lan',
    'rare',
    'raer',
    'chess piano',
    'night',
    'farol',
    '家計',
    '写',
    'laterne',
    'maker 7',
    'nosuchword',
  ],
  ...['photoalbum', 'lantrn', 'nur'],
].flatMap((q) =>
  ['us', 'de', 'jp'].flatMap((country) => [
    { q, country },
    { q, country, sort: 'released', limit: 3 },
    { q, country, price: 'paid', minRatingCount: 1_000 },
    { q, country, categoryId: '6014', minRating: 3, releasedFrom: '2012-01-01', sort: 'name' },
    { q, country, charting: 'no' },
  ]),
)

async function answers(): Promise<unknown[]> {
  await countChange(world.store.db, ['apps'])
  const found = []
  for (const input of asked) {
    const { status, body } = await world.call('search_competitors', input as object)
    assert.equal(status, 200, JSON.stringify(body))
    found.push({ input, items: body.items, total: body.total, more: body.nextCursor !== null })
  }
  return found
}

const fewOf = async (q: string) => (await expectationOf(world.store.db, tokens(q))).few

test('where few apps may match, the same are found at once as by going through the tiers', async () => {
  await sql`delete from word_weight_runs`.execute(world.store.db)
  assert.equal(await fewOf('rare'), false)
  const byTiers = await answers()
  await computeWordWeights(world.store.db, new Date())
  assert.deepEqual(
    [await fewOf('rare'), await fewOf('家計'), await fewOf('写'), await fewOf('maker')],
    [true, true, true, false],
  )
  const atOnce = await answers()
  for (const [index, answer] of byTiers.entries()) assert.deepEqual(atOnce[index], answer)
})
