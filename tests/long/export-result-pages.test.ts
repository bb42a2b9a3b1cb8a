import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import { openCollecting, patient } from '../support/collecting.ts'
import { openFolder, rejectedLines } from '../support/files.ts'
import { operate } from '../support/operator.ts'
import { type About, differences, readReplies } from '../support/read-replies.ts'
import { openWorld, sharedData } from '../support/world.ts'

const skip = existsSync(join(sharedData, 'apple/search'))
  ? false
  : 'the real material is not beside the project (../shared/data)'
const folder = openFolder()
after(() => folder[Symbol.dispose]())

const about: About = {
  countries: ['us'],
  storeIds: ['1163852619', '382617920', '414478124', '454638411'],
  terms: ['chat', 'slack'],
  texts: ['chat'],
  categoryIds: [],
}

/** A store with pages that were imported, two of them of one instant, and some that Apple was asked for. */
async function withPages() {
  const collected = await openCollecting()
  const { world, apple } = collected
  const names = readdirSync(join(sharedData, 'apple/search')).filter((name) => /^search_chat/.test(name))
  await world.import({ kind: 'search-results', paths: names.map((name) => `apple/search/${name}`) })
  for (const name of names.slice(3, 5))
    await world.import({
      kind: 'search-results',
      paths: [`apple/search/${name}`],
      observedAt: '2022-06-01T12:00:00Z',
    })
  const slack = { term: 'slack', observedAt: '2026-01-01', requested: 200 }
  await world.import({
    kind: 'search-results',
    paths: ['apple/search/search_slack_mac_and_ios.json'],
    ...slack,
  })
  for (const at of ['2023-05-20T08:00:00Z', '2023-05-21T08:00:00Z']) {
    apple.recover()
    apple.behave('/', { does: 'serve-file', file: join(sharedData, 'apple/search', names[5] ?? '') })
    mock.timers.enable({ apis: ['Date'], now: new Date(at) })
    try {
      await world.collecting.collector.search('chat', 'us', patient)
    } finally {
      mock.timers.reset()
    }
  }
  return collected
}

test('result pages that were taken out and brought into an empty store answer the same, zipped or not', {
  skip,
}, async () => {
  await using from = await withPages()
  const expected = await readReplies(from.world, about)
  for (const out of ['pages.ndjson', 'pages.ndjson.gz'].map((name) => join(folder.path, name))) {
    const { code, notes } = await operate(from.world, {
      command: 'export result-pages',
      options: { out },
    })
    assert.deepEqual([code, notes], [0, ''])
    assert.equal(statSync(out).mode & 0o777, 0o600)
    await using to = await openWorld()
    const brought = await to.import({ kind: 'search-results', paths: [out] })
    assert.ok(brought.stored > 500)
    assert.deepEqual(differences(expected, await readReplies(to, about)), [])
    const again = await from.world.import({ kind: 'search-results', paths: [out] })
    assert.equal(again.stored, 0)
  }
})

test('an export replaces a link of its name and does not follow it', { skip }, async () => {
  await using world = await openWorld()
  const [target, out] = [join(folder.path, 'elsewhere'), join(folder.path, 'link.ndjson')]
  writeFileSync(target, 'not ours')
  symlinkSync(target, out)
  await operate(world, { command: 'export result-pages', options: { out } })
  assert.deepEqual([statSync(target).size, statSync(out).size], [8, 0])
})

test('lines of an export that cannot be read are refused with their reason, and their neighbours stored', {
  skip,
}, async () => {
  const context = { layout: 'document', country: 'us', term: 'chat' }
  const kept = {
    identity: 'a'.repeat(64),
    format: 'itunes-search',
    origin: 'imported',
    country: 'us',
    observedAt: '2022-06-01T12:00:00.000Z',
    timeBasis: 'stated',
    context,
    payload: JSON.stringify({ resultCount: 0, results: [] }),
  }
  const lines = [
    kept,
    { ...kept, identity: 'no' },
    { ...kept, format: 'paid-ads' },
    { ...kept, format: 'itunes-lookup' },
    { ...kept, observedAt: '2999-01-01T00:00:00.000Z' },
    { ...kept, context: { ...context, surprise: 1 } },
    { ...kept, payload: '{"resul' },
    { ...kept, payload: undefined },
    { ...kept, payload: undefined, packed: 'AAAA' },
    { ...kept, country: 'uk' },
  ]
  const file = folder.write(
    'damaged.ndjson',
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"ident`,
  )
  await using world = await openWorld()
  const { rejectedFile } = await world.import({ kind: 'search-results', paths: [file] })
  const reasons = rejectedLines(rejectedFile).map(({ position, reason }) => `${position}: ${reason}`)
  assert.equal(reasons.length, lines.length)
  for (const [index, said] of [
    'not valid at "identity"',
    'not valid at "format"',
    'import catalogue reads it',
    'lies in the future',
    'not valid at "context"',
    'broken or truncated JSON',
    'holds no payload',
    'cannot be unpacked',
    'not an App Store country',
    'broken JSON',
  ].entries()) {
    const reason = reasons.find((one) => one.startsWith(`line ${index + 2}:`))
    assert.match(reason ?? '', new RegExp(said))
  }
  assert.equal((await world.call('explore_aso_keyword', { query: 'chat', country: 'us' })).status, 200)
})
