import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { addNameWords } from '../src/domain/catalogue/search-word-queries.ts'
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
