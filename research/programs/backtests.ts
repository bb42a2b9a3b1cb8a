/**
 * Runs the backtests on the real data beside the project, and writes their figures to docs/models/results: `npm run
 * backtests [-- MODEL…]`, all by default. The data is imported into an embedded store in a temporary folder; `--store DIR`
 * keeps the store there, and reuses an existing one. Without the data nothing is written.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { modelsPage, resultFile, withResultsTable } from '../../scripts/models-markdown.ts'
import { refreshRatingScales } from '../../src/domain/aso/pages/rating-scale-runs.ts'
import { mergeSearchIndexes } from '../../src/domain/catalogue/record-writes.ts'
import { refreshWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { runImport } from '../../src/imports/run-import.ts'
import type { Database } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { type Model, models } from '../../src/vocabulary/models.ts'
import { sharedData } from '../../tests/support/world.ts'
import { importEverything } from '../../tests/truth/import-everything.ts'
import { backtests } from '../backtests.ts'
import { figureCell } from '../markdown.ts'
import { backtestRecordOf, performBacktest, withoutDetails } from '../record.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { store: { type: 'string' } } })
const named = z.array(z.enum(models)).safeParse(positionals)
const print = (line: string) => process.stdout.write(`${line}\n`)

if (!named.success) {
  process.stderr.write(`There is no such model; there are ${models.join(', ')}.\n`)
  process.exitCode = 2
} else if (existsSync(join(sharedData, 'catalogue')))
  await measure(named.data.length === 0 ? models : named.data, values.store)
else print('The real data is not beside the project (../shared/data): nothing was measured.')

async function measure(chosen: readonly Model[], kept: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rivalscope-backtests-'))
  const dataDir = kept === undefined ? join(folder, 'store') : resolve(kept)
  const isThere = existsSync(dataDir)
  try {
    await using store = await openStore({ dataDir }, 'backtests')
    if (!isThere) await importAll(store.db, folder)
    await refreshWordWeights(store.db, new Date())
    await refreshRatingScales(store.db, new Date())
    for (const model of chosen) await keepFigure(store.db, model)
  } finally {
    await rm(folder, { recursive: true })
  }
  await writeFile(modelsPage, await withResultsTable(await readFile(modelsPage, 'utf8')))
}

async function importAll(db: Database, folder: string): Promise<void> {
  print('Importing the real data …')
  const rejectedFile = join(folder, 'rejected.ndjson')
  await importEverything({
    import: (order) => runImport(db, { directory: sharedData, rejectedFile, ...order }, () => {}),
  })
  await mergeSearchIndexes(db)
}

async function keepFigure(db: Database, model: Model): Promise<void> {
  const { signal } = new AbortController()
  const result = await performBacktest(backtests[model], { db, signal, progress: () => {} })
  const record = withoutDetails(backtestRecordOf(result, new Date(), `npm run backtests -- ${model}`))
  await writeFile(resultFile(model), `${JSON.stringify(record, null, 2)}\n`)
  print(`${model}: ${figureCell(record)}`)
}
