import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { readMapping } from '../../src/ingest/mapping/mapping.ts'
import { openCollecting, patient } from '../support/collecting.ts'
import { openFolder } from '../support/files.ts'
import { operate } from '../support/operator.ts'
import { type About, differences, readReplies } from '../support/read-replies.ts'
import { openWorld, sharedData } from '../support/world.ts'

const skip = existsSync(join(sharedData, 'catalogue'))
  ? false
  : 'the real material is not beside the project (../shared/data)'
const folder = openFolder()
after(() => folder[Symbol.dispose]())

const about: About = {
  countries: ['us', 'de'],
  storeIds: ['1163852619', '382617920', '414478124', '333903271', '309735670', '284882215', '281656475'],
  terms: ['chat'],
  texts: ['chat', 'free messenger'],
  categoryIds: ['6000'],
}

/** A store whose apps come from tables with a mapping, saved answers of three years, charts, and from asking Apple. */
async function withApps() {
  const collected = await openCollecting()
  const { world, apple } = collected
  const map = fileURLToPath(new URL('../../docs/maps/app-store-2017.json', import.meta.url))
  const [header = '', ...rows] = readFileSync(join(sharedData, 'catalogue/AppleStore.csv'), 'utf8').split('\n')
  const table = folder.write('apps.csv', [header, ...rows.slice(0, 300), ''].join('\n'))
  const mapping = await readMapping(map, 'catalogue')
  await world.import({ kind: 'catalogue', paths: [table], observedAt: '2017-07-15', mapping })
  const answers = readdirSync(join(sharedData, 'apple/search')).filter((name) => /^search_chat/.test(name))
  const paths = answers.map((name) => `apple/search/${name}`)
  await world.import({ kind: 'catalogue', paths: paths.filter((_, index) => index % 2 === 0) })
  await world.import({ kind: 'search-results', paths: paths.filter((_, index) => index % 3 === 0) })
  await world.import({ kind: 'catalogue', paths: paths.slice(7, 9), observedAt: '2022-06-01T12:00:00Z' })
  await world.import({ kind: 'catalogue', paths: paths.slice(4, 6), country: 'de' })
  const charts = readdirSync(join(sharedData, 'apple/charts/us-daily-2026')).slice(0, 6)
  await world.import({ kind: 'charts', paths: charts.map((name) => `apple/charts/us-daily-2026/${name}`) })
  apple.recover()
  apple.behave('/', { does: 'serve-file', file: join(sharedData, paths[15] ?? '') })
  mock.timers.enable({ apis: ['Date'], now: new Date('2022-11-30T08:00:00Z') })
  try {
    await world.collecting.collector.lookup(['382617920'], 'us', patient)
  } finally {
    mock.timers.reset()
  }
  return collected
}

test('a catalogue that was taken out and brought into an empty store answers the same', { skip }, async () => {
  await using from = await withApps()
  // A store that works does so by itself, at a full minute.
  await computeWordWeights(from.world.store.db, new Date())
  const expected = await readReplies(from.world, about)
  const out = join(folder.path, 'apps.ndjson.gz')
  const { code, notes } = await operate(from.world, {
    command: 'export catalogue',
    options: { out },
  })
  assert.deepEqual([code, notes], [0, ''])
  await using to = await openWorld()
  await to.import({ kind: 'catalogue', paths: [out] })
  await computeWordWeights(to.store.db, new Date())
  assert.deepEqual(differences(expected, await readReplies(to, about)), [])
  const again = await from.world.import({ kind: 'catalogue', paths: [out] })
  assert.equal(again.stored, 0)
})
