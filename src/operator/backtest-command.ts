import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { backtests } from '../../research/backtests.ts'
import { baselineCell, figureCell } from '../../research/markdown.ts'
import { type BacktestRecord, backtestRecordOf, performBacktest } from '../../research/record.ts'
import { reportFiles, reportKind } from '../../research/report.ts'
import { models } from '../vocabulary/models.ts'
import { Refusal } from './command.ts'
import type { Input } from './field-help.ts'
import type { OperatorContext } from './operator-context.ts'
import { holdsSyntheticEvidence } from './synthetic-evidence.ts'
import type { backtestInput } from './upkeep.ts'

/** Tests scores against the data of this store; one line for each, and a report on request. */
export async function backtestCommand(
  { db, terminal, signal, directory }: OperatorContext,
  { models: named = [], all, out, json }: Input<typeof backtestInput>,
): Promise<0 | 1> {
  const folder = out === undefined ? undefined : resolve(directory, out)
  const refusal = folder && (await refusalOfFolder(folder))
  if (refusal) throw new Refusal(refusal)
  const chosen = all || named.length === 0 ? models : models.filter((model) => named.includes(model))
  const at = new Date()
  const records: BacktestRecord[] = []
  const madeUp = await holdsSyntheticEvidence(db)
  if (madeUp) terminal.note('This store holds made-up evidence: figures of it say nothing about real apps.')
  try {
    for (const model of chosen) {
      const progress = (done: number, total: number) =>
        terminal.progress({ label: model, done, total, unit: 'cases' })
      const result = await performBacktest(backtests[model], { db, signal, progress })
      records.push(backtestRecordOf(result, at, `rivalscope backtest ${model}`))
    }
    if (folder) await writeReport(folder, reportFiles(records, at, madeUp))
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Refusal('Interrupted. No report was written.')
  }
  if (json) terminal.out(JSON.stringify({ madeUp, results: records }))
  else for (const line of linesOf(records)) terminal.out(line)
  if (folder) terminal.note(`The report stands in ${resolve(folder, 'report.md')}.`)
  return 0
}

/** The records as a table; for scores that are not validated, the reason instead of figures. */
function linesOf(records: readonly BacktestRecord[]): string[] {
  const heads = ['model', 'formula', 'figure', 'cases', 'date', 'measure', 'baseline']
  const lines = records.map((record) => {
    const { model, formula, outcome, date, measure, better } = record
    const found = figureCell(record)
    return outcome.state === 'measured'
      ? [
          model,
          formula,
          found,
          String(outcome.cases),
          date,
          `${measure} (${better} is better)`,
          baselineCell(record),
        ]
      : [model, formula, found]
  })
  // A cell that is the last of its line does not widen its column.
  const widthOf = (column: number) =>
    Math.max(
      ...[heads, ...lines].map((cells) => (column < cells.length - 1 ? (cells[column]?.length ?? 0) : 0)),
    )
  const widths = heads.map((_, column) => widthOf(column))
  return [heads, ...lines].map((cells) =>
    cells
      .map((cell, column) => (column < cells.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell))
      .join('  '),
  )
}

const Ours = z.object({ kind: z.literal(reportKind), files: z.array(z.string()) })

/**
 * Why a report must not replace the folder; undefined where it does not exist, or holds an earlier report and nothing else.
 */
async function refusalOfFolder(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length === 0) return undefined
  const text = await readFile(join(folder, 'report.json'), 'utf8').catch(() => '')
  const ours = Ours.safeParse(parsed(text))
  const strange = ours.success ? names.find((name) => !ours.data.files.includes(name)) : names[0]
  return strange === undefined
    ? undefined
    : `${folder} holds ${strange}, which no earlier report wrote. Name another folder with --out; nothing was changed.`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces the folder with a report, atomically. */
async function writeReport(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const beside = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
  try {
    const [fresh, old] = [join(beside, 'fresh'), join(beside, 'old')]
    await mkdir(fresh)
    for (const [name, text] of files) await writeFile(join(fresh, name), text, { flag: 'wx' })
    // Check again: the backtests took a while.
    const refusal = await refusalOfFolder(folder)
    if (refusal) throw new Error(refusal)
    await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(fresh, folder)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}
