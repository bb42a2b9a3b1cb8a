import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { detectLanguageOf } from '../src/domain/creatives/detected-language.ts'
import type { Stated } from '../src/domain/facts/merge.ts'
import type { PostFields } from '../src/domain/organic/post.ts'
import { projections } from '../src/projections/projections.ts'
import { replay } from '../src/projections/replay.ts'
import { rows } from '../src/storage/database.ts'
import { cases } from './support/cases.ts'
import { derivedState, forgetDerived } from './support/derived-state.ts'
import { openFolder } from './support/files.ts'
import { readingsRestedOn } from './support/readings-rested-on.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const storeAddress = (app: number) => `https://apps.apple.com/us/app/x/id${100000000 + app}`
const small = fc.nat({ max: 2 })
const text = fc.constantFrom(
  'Look at this',
  `Get it: ${storeAddress(1)}`,
  `Two: ${storeAddress(1)} ${storeAddress(2)}`,
  'by @maker0 and @maker1',
  'Zum Frühstück gibt es heute frische Brötchen mit Butter und Honig',
  'A calm day with my new planner, everything in one place',
  '',
)
const post = fc.record(
  {
    network: fc.constant('tiktok' as const),
    id: fc.nat({ max: 5 }).map((id) => `700000000000000000${id}`),
    observedAt: small.map((day) => `2026-03-0${day + 1}T12:00:00Z`),
    author: fc.record(
      {
        handle: fc.constantFrom('Maker0', 'maker1', 'maker2', null),
        bio: fc.constantFrom('', storeAddress(1), `${storeAddress(1)} ${storeAddress(2)}`, storeAddress(3)),
        followers: small,
      },
      { requiredKeys: ['handle'] },
    ),
    text,
    title: text,
    language: fc.constantFrom('en', 'ja'),
    unreadable: fc.subarray(['hashtags', 'media']),
    metrics: fc.record({ views: fc.nat({ max: 9 }), likes: small, comments: small }, { requiredKeys: [] }),
  },
  { requiredKeys: ['network', 'id', 'observedAt'] },
)
const listing = fc.record({
  app: fc.nat({ max: 3 }),
  site: fc.constantFrom(
    'https://www.tiktok.com/@maker2',
    'https://tiktok.com/@Maker1/?x=1',
    'https://example.com',
  ),
  day: small,
})
const delivery = fc.oneof(
  fc.array(post, { minLength: 1, maxLength: 6 }).map((posts) => ({ posts })),
  listing.map((listed) => ({ listed })),
)

async function arrive(one: { posts: object[] } | { listed: { app: number; site: string; day: number } }) {
  if ('posts' in one) {
    const lines = one.posts.map((record) => `${JSON.stringify(record)}\n`).join('')
    return world.import({ kind: 'organic', paths: [folder.write('posts.ndjson', lines)], format: 'ndjson' })
  }
  const { app, site, day } = one.listed
  const table = `id,name,site\n${100000000 + app},App ${app},${site}\n`
  return world.import({
    kind: 'catalogue',
    paths: [folder.write('listing.csv', table)],
    observedAt: `2026-03-0${day + 1}`,
    mapping: { fields: { storeId: 'id', name: 'name', sellerUrl: 'site' }, constants: {}, document: {} },
  })
}

async function empty() {
  await forgetDerived(world.store.db)
  await sql`truncate readings, reading_identities`.execute(world.store.db)
}

async function library() {
  const state = await derivedState(world.store.db)
  return {
    ...Object.fromEntries(projections.posts.tables.map((table) => [table, state[table]])),
    rests: await readingsRestedOn(world.store.db),
  }
}

/** The language of a post is that of the words that hold, whichever observations they are of. */
async function assertLanguagesOfWords() {
  const posts = await rows(
    world.store.db,
    sql<{ facts: Stated<PostFields> }>`select facts from posts order by post_id`,
  )
  for (const { facts } of posts) {
    const { title, text: words, language } = facts
    const told = language ? undefined : await detectLanguageOf({}, [title, words])
    assert.equal(facts.detectedLanguage, told && (told.language ?? null), JSON.stringify(facts))
    assert.deepEqual(
      facts.possibleLanguages ?? [],
      told && told.language === undefined ? told.possible : [],
      JSON.stringify(facts),
    )
  }
}

test('of two texts of one instant the language is that of the text that holds', async () => {
  await empty()
  const look = { network: 'tiktok', id: '7000000000000000009', observedAt: '2026-03-01T12:00:00Z' }
  const german = 'Zum Frühstück gibt es heute frische Brötchen mit Butter und Honig'
  const english = 'A calm day with my new planner, everything in one place'
  await arrive({ posts: [{ ...look, text: german }] })
  await arrive({ posts: [{ ...look, text: english }] })
  await assertLanguagesOfWords()
  const { body } = await world.call('search_organic_content', { language: ['de'] })
  assert.deepEqual([body.items[0]?.text.value, body.items.length], [german, 1])
  // Nor does a title that comes later by itself tell the language of a text that stands.
  await arrive({ posts: [{ ...look, observedAt: '2026-03-02T12:00:00Z', title: 'Planner' }] })
  await assertLanguagesOfWords()
})

test('posts, listings and profiles give the same library in any order of arrival, and after a replay', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(delivery, { minLength: 2, maxLength: 5 })
        .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      async ([list, shuffled]) => {
        await empty()
        for (const one of list) await arrive(one)
        const first = await library()
        await assertLanguagesOfWords()
        await replay(world.store.db, () => {}, new AbortController().signal, ['posts'])
        assert.deepEqual(await library(), first, 'after a replay')
        await empty()
        for (const one of shuffled) await arrive(one)
        assert.deepEqual(await library(), first, 'in another order')
      },
    ),
    { numRuns: cases(15) },
  )
})
