import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { replay } from '../../src/projections/replay.ts'
import { assertPagesAgree } from '../support/aso-invariants.ts'
import { appsOf, type MadePage, storePages } from '../support/result-pages.ts'
import { openWorld, sharedData } from '../support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { db } = world.store

/** Pages of two storefronts around the turn of a month; few instants, so that some are captured together. */
const anyPage = fc.record({
  country: fc.constantFrom('us', 'jp'),
  observedAt: fc.constantFrom(
    ...['2024-01-30T12:00:00Z', '2024-01-31T00:00:00Z', '2024-01-31T09:00:00Z', '2024-01-31T22:00:00Z'],
    ...['2024-02-01T03:00:00Z', '2024-02-01T04:00:00Z', '2024-02-29T23:59:59Z', '2024-03-01T12:00:00Z'],
  ),
  origin: fc.constantFrom('collected' as const, 'imported' as const),
  /** At times the page falls far short of the others. */
  ids: fc.oneof(
    fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 12 }),
    fc.integer({ min: 1, max: 60 }).map((last) => Array.from({ length: last }, (_, at) => last - at)),
  ),
  requested: fc.constantFrom(200, 60),
  /** Whether ratings move so fast that the page seen twice is one capture. */
  busy: fc.boolean(),
})

let sequences = 0

test('whatever pages come in whatever portions, all that is stored about them follows from the pages alone', async () => {
  const portions = fc.array(fc.array(anyPage, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(portions, async (sequence) => {
      const term = `sequence ${++sequences}`
      for (const portion of sequence)
        await storePages(
          world,
          portion.map(({ ids, busy, ...page }): MadePage => {
            const apps = appsOf(ids).map((app) => ({ ...app, userRatingCount: busy ? 1e6 : app.trackId * 100 }))
            return { ...page, term, apps }
          }),
        )
      await assertPagesAgree(db)
    }),
    { numRuns: 40 },
  )
})

const chat = join(sharedData, 'apple/search')

test('the real pages of "chat", one by one in random order and after a replay', {
  skip: existsSync(chat) ? false : 'the real material is not beside the project (../shared/data)',
}, async () => {
  const before = await assertPagesAgree(db)
  const files = readdirSync(chat).filter((name) => name.startsWith('search_chat'))
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(files, { minLength: files.length }), 1)
  for (const [index, file] of shuffled.entries()) {
    await world.import({ kind: 'search-results', paths: [join('apple/search', file)] })
    if (index % 5 === 0) await assertPagesAgree(db)
  }
  assert.equal((await assertPagesAgree(db)) - before, files.length)
  await replay(db, () => {}, new AbortController().signal)
  assert.equal((await assertPagesAgree(db)) - before, files.length)
})
