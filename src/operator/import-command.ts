import { basename, resolve } from 'node:path'
import { redrawRatingScales } from '../domain/aso/pages/rating-scale-runs.ts'
import { mergeSearchIndexes } from '../domain/catalogue/record-writes.ts'
import { recountWords } from '../domain/catalogue/word-weights.ts'
import type { ImportFormat, ImportKind } from '../imports/import-request.ts'
import { type ImportSummary, runImport } from '../imports/run-import.ts'
import type { MappedKind } from '../ingest/mapping/mappable-fields.ts'
import { type Mapping, MappingError, readMapping } from '../ingest/mapping/mapping.ts'
import type { Database } from '../storage/database.ts'
import { readLanguage } from '../vocabulary/read-language.ts'
import type { LocalizationCode } from '../vocabulary/storefronts.ts'
import { Refusal } from './command.ts'
import type { OperatorContext } from './operator-context.ts'
import { resolveApp } from './resolve-names.ts'

export interface ImportOptions {
  kind: MappedKind
  files: string[]
  format?: ImportFormat
  encoding?: string
  country?: string
  observedAt?: string
  map?: string
  term?: string
  requested?: number
  app?: string
  chart?: string
  category?: string
  device?: string
  language?: string
  rejected?: string
  json?: boolean
}

/** Imports files, or standard input, into the store. Ends with a summary line. */
export async function importCommand(context: OperatorContext, options: ImportOptions): Promise<0 | 1> {
  const { db, terminal, directory, signal } = context
  const { kind, files, json, map, rejected, app, language, ...settings } = options
  try {
    const mapping: Mapping | undefined = map ? await readMapping(resolve(directory, map), kind) : undefined
    const storeId = app === undefined ? undefined : await resolveApp(db, app)
    const summary = await runImport(
      db,
      {
        ...settings,
        ...(storeId ? { app: storeId } : {}),
        ...(language ? { language: languageIn(language, settings.country ?? 'us') } : {}),
        kind,
        paths: files,
        directory,
        rejectedFile: resolve(directory, rejected ?? `rejected-${kind}-${stamp()}.ndjson`),
        ...(mapping ? { mapping } : {}),
        ...(context.stdin ? { stdin: context.stdin } : {}),
      },
      (done, total, label) => terminal.progress({ label, done, total, unit: 'bytes' }),
      signal,
    )
    await tidy(db, summary)
    sayMore(context, summary, !mapping && kind !== 'search-results')
    terminal.out(json ? JSON.stringify(summary) : summaryLine(summary))
    return summary.read > 0 && summary.rejected === summary.read ? 1 : 0
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof MappingError) throw new Refusal(error.message)
    throw new Refusal(
      signal.aborted
        ? 'Interrupted. What was stored stays; run the same command again to go on.'
        : `The import failed: ${error instanceof Error ? error.message : String(error)}. What was stored stays; run it again to go on.`,
      1,
      { cause: error },
    )
  }
}

/** @throws Refusal */
export function languageIn(text: string, country: string): LocalizationCode {
  const read = readLanguage(text, country)
  if ('refusal' in read) throw new Refusal(`"${text.slice(0, 35)}" ${read.refusal}`, 2)
  return read.language
}

/**
 * Rebuilds what depends on all records, one after the other, so that readers keep a core: what is due, and what rests on values that
 * are others now.
 */
async function tidy(db: Database, { read, unchanged, rejected }: ImportSummary): Promise<void> {
  const now = new Date()
  if (read > unchanged + rejected) await mergeSearchIndexes(db)
  await recountWords(db, now)
  await redrawRatingScales(db, now)
}

function stamp(): string {
  return new Date().toISOString().replace(/[:.]/g, '-')
}

/** @param needsNames whether fields were only looked for under their default names */
function sayMore({ terminal }: OperatorContext, summary: ImportSummary, needsNames: boolean): void {
  if (summary.weaklyDated > 0) {
    terminal.note(
      `${summary.weaklyDated} of ${summary.files} files tell no time of observation: their modification time was taken. Give --observed-at to say it.`,
    )
  }
  const unreadable = Object.entries(summary.unreadable).map(([field, count]) => `${field} of ${count}`)
  if (unreadable.length > 0)
    terminal.note(
      `Not measured, for what stands there cannot be read: ${unreadable.join(', ')} ${units[summary.kind]}.`,
    )
  for (const note of summary.notes) terminal.note(note)
  const { firstRejection: first } = summary
  if (first) {
    const help = needsNames && summary.rejected === summary.read && /^no [a-z ]+$/.test(first.reason)
    const hint = help ? '. Columns of other names need a mapping: pass --map FILE' : ''
    terminal.note(`First refused: ${basename(first.file)}, ${first.position}: ${shortly(first.reason)}${hint}`)
  }
  if (summary.rejectedFile) terminal.note(`Rejected records and why: ${summary.rejectedFile}`)
}

const shortly = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}…` : text)

const units: Record<ImportKind, string> = {
  catalogue: 'apps',
  charts: 'chart places',
  'search-results': 'places',
  'keyword-ranks': 'ranks',
  sales: 'sales rows',
  organic: 'posts',
  'paid-ads': 'ads',
}

function summaryLine({ kind, files, read, stored, unchanged, rejected }: ImportSummary): string {
  const counts = `read ${read}, stored ${stored}, unchanged ${unchanged}, rejected ${rejected}`
  return `${kind}: ${counts} ${units[kind]} from ${files} ${files === 1 ? 'file' : 'files'}${read > 0 && stored === 0 && rejected < read ? ' (nothing new)' : ''}`
}
