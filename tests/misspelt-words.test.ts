import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { addNameWords } from '../src/domain/catalogue/search-words.ts'
import { computeWordWeights } from '../src/domain/catalogue/word-weights.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { QueryPlans } from './support/query-plans.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

test('a misspelt name is found without walking all words, also where statistics say nothing of their variants', async () => {
  await importContent(world, folder, 'catalogue', {
    resultCount: 1,
    results: [{ wrapperType: 'software', kind: 'software', trackId: 5_000_001, trackName: 'Quillwander' }],
  })
  // Words so unlike each other that no variant is among the most common ones.
  const words = Array.from({ length: 12_000 }, (_, index) =>
    createHash('md5')
      .update(String(index))
      .digest('base64')
      .replaceAll(/[^a-z]/gi, '')
      .toLowerCase()
      .slice(0, 12),
  )
  await addNameWords(world.store.db, words)
  await sql`analyze search_words`.execute(world.store.db)
  const plans = await QueryPlans.on(world.store, 2_000)
  const { rows } = await plans.of(async () => {
    const { body } = await world.call('search_competitors', { q: 'quilwander' })
    assert.deepEqual(
      body.items.map(({ name }: { name: string }) => name),
      ['Quillwander'],
    )
  })
  assert.ok(rows < 1_000, `${rows} rows were read`)
})

test('letters that changed places or were doubled in a word of the store are forgiven, and what is found stands by how well it is meant', async () => {
  const named = (trackId: number, trackName: string, description: string) => ({
    wrapperType: 'software',
    kind: 'software',
    trackId,
    trackName,
    description,
    userRatingCount: 10,
  })
  await importContent(world, folder, 'catalogue', {
    resultCount: 19,
    results: [
      ...Array.from({ length: 15 }, (_, index) => named(5_100_000 + index, `Sudoku ${index + 2}`, 'A puzzle.')),
      ...Array.from({ length: 3 }, (_, index) =>
        named(5_200_000 + index, `Nonograms ${index + 2}`, 'Also for friends of suduko.'),
      ),
      named(5_300_000, 'Sodoku', 'Named so.'),
    ],
  })
  const found = async (q: string) => {
    const { body } = await world.call('search_competitors', { q, limit: 20 })
    return body.items.map(({ name }: { name: string }) => name)
  }
  const sudokus = Array.from({ length: 15 }, (_, index) => `Sudoku ${index + 2}`).sort()
  for (const typed of ['sduoku', 'sudokku', 'soduku'])
    assert.deepEqual(
      (await found(typed)).filter((name: string) => name.startsWith('Sudoku')).sort(),
      sudokus,
      typed,
    )
  // Three descriptions hold this one: before the words are counted nobody knows that another one is far commoner.
  assert.equal((await found('suduko')).length, 3)
  await computeWordWeights(world.store.db, new Date())
  const meant = await found('suduko')
  assert.deepEqual(meant.slice(0, 15).sort(), sudokus)
  assert.equal(meant.length, 18)
  assert.equal((await found('sodoku'))[0], 'Sodoku', 'what is called as typed comes first')
})
