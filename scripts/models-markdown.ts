import { readFile } from 'node:fs/promises'
import { recordsTable } from '../research/markdown.ts'
import { BacktestRecord } from '../research/record.ts'
import { type Model, models } from '../src/vocabulary/models.ts'

const begins = '<!-- from docs/models/results -->'
const ends = '<!-- to here -->'

export const modelsPage = new URL('../docs/models/README.md', import.meta.url)

export const resultFile = (model: Model) => new URL(`../docs/models/results/${model}.json`, import.meta.url)

/** The latest stored result of a model. */
async function keptResult(model: Model): Promise<BacktestRecord> {
  return BacktestRecord.parse(JSON.parse(await readFile(resultFile(model), 'utf8')))
}

/** The overview page of all scores, with the table of stored results. */
export async function withResultsTable(page: string): Promise<string> {
  const [before, rest = ''] = page.split(begins)
  const [, after] = rest.split(ends)
  if (after === undefined) throw new Error('docs/models/README.md has no place for the results')
  const records = await Promise.all(models.map(keptResult))
  const table = recordsTable(records, ({ model }) => `[${model}](${model}.md)`)
  return `${before}${begins}\n${table}\n${ends}${after}`
}
