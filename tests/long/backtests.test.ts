import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { backtests } from '../../research/backtests.ts'
import { benchmarkShape, readBenchmark, usableCases } from '../../research/benchmark.ts'
import { BacktestRecord } from '../../research/record.ts'
import { withResultsTable } from '../../scripts/models-markdown.ts'
import type { InputOf } from '../../src/commands.ts'
import { models } from '../../src/vocabulary/models.ts'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { operate } from '../support/operator.ts'
import { appsOf, storePages } from '../support/result-pages.ts'
import { openWorld, type World } from '../support/world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const keptResult = (model: string) =>
  BacktestRecord.parse(JSON.parse(read(`docs/models/results/${model}.json`)))

test('every formula of the code has a row with its version, and no row has another', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const formulas = sources.flatMap((file) =>
    [...read(join('src', file)).matchAll(/['"`]([a-z]+(?:-[a-z]+)*\/\d{1,2})(?=['"` ])/g)].map(
      ([, name = '']) => name,
    ),
  )
  assert.deepEqual(
    [...new Set(formulas)].sort(),
    models.map((model) => backtests[model].formula).sort(),
    'see "Add a backtest" in CONTRIBUTING.md',
  )
  for (const model of models) assert.equal(backtests[model].model, model)
})

test('the results that are kept are of the formulas of the code: npm run backtests -- MODEL measures one anew', () => {
  for (const model of models) {
    const { run: _, ...row } = backtests[model]
    const { outcome: __, date: ___, command: ____, ...kept } = keptResult(model)
    assert.deepEqual(kept, row)
  }
  assert.deepEqual(
    readdirSync(join(root, 'docs/models/results')).sort(),
    models.map((model) => `${model}.json`).sort(),
  )
})

test('the table of docs/models is that of the results', async () => {
  const page = read('docs/models/README.md')
  assert.equal(page, await withResultsTable(page))
})

test('every model has a card, with all that a card says', () => {
  const parts = ['Purpose', 'Data', 'Formula', 'Error', 'Baseline', 'Failure cases', 'Version history']
  for (const model of models) {
    const card = read(`docs/models/${model}.md`)
    const [, ...sections] = card.split(/^## /m)
    assert.deepEqual(
      sections.map((section) => section.split('\n')[0]),
      parts,
      model,
    )
    for (const section of sections) assert.match(section, /\n\n\S/, `${model}: ${section}`)
    assert.ok(card.includes(`\`${backtests[model].formula}\``), `${model}: the card is of another formula`)
  }
  const pages = readdirSync(join(root, 'docs/models')).filter((name) => name.endsWith('.md'))
  assert.deepEqual(pages.sort(), [...models.map((model) => `${model}.md`), 'README.md'].sort())
})

describe('Benchmarks', () => {
  const Case = z.strictObject({ storeId: z.string(), rival: z.boolean() })
  const cases = [1, 2, 3].map((id) => ({ storeId: String(id), rival: id > 1, use: id === 1 ? 'fit' : 'check' }))
  const file = { models: ['similarity'], about: 'Is it a rival?', judgedOn: '2026-11-01', fewest: 2, cases }

  test('one that is not there is no empty one', async () => {
    await assert.rejects(readBenchmark('delivery-days', Case), /ENOENT/)
  })

  test('a case that holds more or less than its row reads is refused, and so is one without a use', () => {
    const read = (cases: unknown) => benchmarkShape(Case).safeParse({ ...file, cases }).success
    assert.ok(read(cases))
    assert.ok(!read([{ ...cases[0], name: 'copied' }]))
    assert.ok(!read([{ storeId: '1', rival: true }]))
    assert.ok(!read([]))
    assert.ok(!benchmarkShape(Case).safeParse({ ...file, models: ['no-model'] }).success)
  })

  test('figures are of cases kept for checking alone; what the store does not hold is left out and counted', () => {
    const benchmark = benchmarkShape(Case).parse(file)
    const all = usableCases(benchmark, () => true)
    assert.deepEqual(
      [all.cases.map(({ storeId }) => storeId), all.leftOut, all.tooFew],
      [['2', '3'], 0, undefined],
    )
    const some = usableCases(benchmark, ({ storeId }) => storeId === '2')
    assert.deepEqual(some.tooFew, {
      state: 'not-validated',
      why: '1 of the 2 judged cases are in this store; 2 are needed.',
    })
  })
})

describe('rivalscope backtest', () => {
  let world: World
  const folder = openFolder()
  before(async () => {
    world = await openWorld()
  })
  after(async () => {
    folder[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })
  const backtest = (options: InputOf<'backtest'>) => operate(world, { command: 'backtest', options })

  test('on an empty store it names every model, and claims nothing of what it would have to read there', async () => {
    const { code, out } = await backtest({ all: true, json: true })
    assert.equal(code, 0)
    const results = z.array(BacktestRecord).parse(JSON.parse(out).results)
    assert.deepEqual(
      results.map(({ model }) => model),
      models,
    )
    const asking = results.filter(({ model }) =>
      ['relevance', 'telling', 'visibility', 'volatility'].includes(model),
    )
    assert.deepEqual([...new Set(asking.map(({ outcome }) => outcome.state))], ['not-validated'])
    const { out: table } = await backtest({ models: ['volatility'] })
    assert.match(
      table,
      /^volatility +volatility\/3 +not validated: 0 pages follow 3 others.*; 20 are needed\.$/m,
    )
  })

  test('volatility is held against the last change, page by page', async () => {
    // Calm pages, one of ten other apps among them: two changes of 100, and the last change is wrong before and after them.
    const calm = [...Array(10).keys()].map((id) => id + 1)
    const other = calm.map((id) => id + 100)
    const pages = Array.from({ length: 24 }, (_, day) => ({
      term: 'chat',
      observedAt: `2026-03-${String(day + 1).padStart(2, '0')}T00:00:00Z`,
      apps: appsOf(day === 4 ? other : calm),
    }))
    await storePages(world, pages)
    const { out } = await backtest({ models: ['volatility'], json: true })
    const [{ outcome }] = (JSON.parse(out) as { results: [BacktestRecord] }).results
    assert.ok(outcome.state === 'measured')
    assert.equal(outcome.cases, 21)
    assert.equal(outcome.baselineFigure, 200 / 21)
    assert.ok(
      outcome.figure > outcome.baselineFigure,
      'the rate remembers the leap, and calm pages prove it wrong',
    )
    assert.ok(
      outcome.interval && outcome.interval.low <= outcome.figure && outcome.figure <= outcome.interval.high,
    )
  })

  test('a report is a folder of its own, with pictures, and takes the place of an earlier one', async () => {
    const out = join(folder.path, 'report')
    const first = await backtest({ models: ['volatility', 'median-views'], out })
    assert.equal(first.code, 0)
    assert.deepEqual(readdirSync(out).sort(), ['report.json', 'report.md', 'volatility-2.svg'])
    const report = readFileSync(join(out, 'report.md'), 'utf8')
    assert.match(report, /!\[.*\]\(volatility-2\.svg\)/)
    assert.match(
      readFileSync(join(out, 'volatility-2.svg'), 'utf8'),
      /^<svg [^>]*>[\s\S]*<polyline[\s\S]*<\/svg>\n$/,
    )
    assert.equal((await backtest({ models: ['median-views'], out })).code, 0)
    assert.deepEqual(readdirSync(out).sort(), ['report.json', 'report.md'])
    assert.deepEqual(readdirSync(folder.path), ['report'], 'nothing is left beside it')
  })

  test('one that is interrupted leaves the report that was there, and nothing beside it', async () => {
    const out = join(folder.path, 'report')
    const before = readFileSync(join(out, 'report.json'), 'utf8')
    const interrupted = new AbortController()
    interrupted.abort()
    const call = { command: 'backtest', options: { all: true, out } } as const
    const { code, notes } = await operate(world, call, interrupted)
    assert.deepEqual([code, notes], [1, 'Interrupted. No report was written.\n'])
    assert.equal(readFileSync(join(out, 'report.json'), 'utf8'), before)
    assert.deepEqual(readdirSync(folder.path), ['report'])
  })

  test('a folder that holds anything else is left as it is', async () => {
    const file = folder.write('mine/notes.txt', 'mine')
    const out = join(folder.path, 'mine')
    const { code, notes } = await backtest({ models: ['volatility'], out })
    assert.equal(code, 1)
    assert.match(notes, /holds notes\.txt, which no earlier report wrote/)
    assert.equal(readFileSync(file, 'utf8'), 'mine')
    assert.ok(!existsSync(join(out, 'report.md')))
  })

  test('a model that does not exist is refused by name, with those that do', async () => {
    const { code, err } = await run(['backtest', 'vollatility', '--data-dir', folder.path])
    assert.equal(code, 2)
    assert.match(err, /'vollatility' is invalid.*Allowed choices are .*volatility/)
  })
})
