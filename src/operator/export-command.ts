import { extname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { Rivalscope } from '../client/client.ts'
import { accountNamed } from '../domain/accounts/queries.ts'
import { readingsWithoutPayload } from '../domain/evidence/removed-months.ts'
import { chartLines } from '../exports/chart-lines.ts'
import { keywordRankLines } from '../exports/keyword-rank-lines.ts'
import { readingLines } from '../exports/reading-lines.ts'
import {
  type ExportKind,
  type ExportSummary,
  exportFormats,
  type OpenContent,
  runExport,
  writeExport,
  writeWhole,
} from '../exports/run-export.ts'
import { tableOfAds, tableOfPosts } from '../exports/tables.ts'
import { type ExportedKind, exportedFormats } from '../projections/projections.ts'
import { Refusal } from './command.ts'
import type { exportSavedInput } from './exports.ts'
import type { Input } from './field-help.ts'
import type { OperatorContext, RemoteContext } from './operator-context.ts'
import { resolveApp } from './resolve-names.ts'

/** Exports posts and ads, with their evidence, to files. Ends with a summary line. */
export async function exportCommand(
  context: OperatorContext,
  kind: ExportKind,
  options: Input<typeof exportSavedInput>,
): Promise<0 | 1> {
  const { db, terminal, directory, signal, media } = context
  const { competitor, out, json } = options
  const format = options.format ?? formatNamed(out) ?? 'ndjson'
  const account = options.account ?? (kind === 'saved' ? 'default' : undefined)
  const accountId = account === undefined ? undefined : await accountNamed(db, account)
  if (account !== undefined && accountId === undefined) throw new Refusal(`There is no account "${account}".`)
  const storeId = competitor === undefined ? undefined : await resolveApp(db, competitor)
  const request = { kind, format, ...(accountId ? { accountId } : {}), ...(storeId ? { storeId } : {}) }
  const path = exportPath(directory, out, kind, format)
  try {
    const progress = (done: number) => terminal.progress({ label: kind, done, total: 0, unit: 'records' })
    const summary = await runExport(db, request, path, (sha256) => media.open(sha256), progress, signal)
    terminal.out(json ? JSON.stringify(summary) : summaryLine(summary))
    return 0
  } catch (error) {
    throw exportRefusalOf(signal, error)
  }
}

/** Exports the saved items of the key's account from a running server, page by page. */
export async function exportRemotely(
  { server, key, terminal, directory, signal }: RemoteContext,
  { out, format: named, json }: Input<typeof exportSavedInput>,
): Promise<0> {
  const rivalscope = new Rivalscope({ server, key })
  const tables = [
    tableOfPosts(async function* () {
      for await (const { post } of rivalscope.listSavedOrganicContent({ limit: 100 }, { signal })) yield post
    }),
    tableOfAds(() => rivalscope.searchPaidAds({ saved: true, limit: 100 }, { signal })),
  ]
  const format = named ?? formatNamed(out) ?? 'ndjson'
  const path = exportPath(directory, out, 'saved', format)
  const progress = (done: number) => terminal.progress({ label: 'saved', done, total: 0, unit: 'records' })
  const order = { kind: 'saved', format } as const
  const summary = await writeExport(tables, order, path, keptAt(server, signal), progress, signal)
  terminal.out(json ? JSON.stringify(summary) : summaryLine(summary))
  return 0
}

/** Copies are served to anyone who knows their hash. */
const keptAt =
  (server: string, signal: AbortSignal): OpenContent =>
  async (sha256) => {
    const reply = await fetch(`${server}/media/${sha256}`, { signal })
    if (reply.status === 200 && reply.body) return Readable.fromWeb(reply.body as ReadableStream)
    await reply.body?.cancel()
    return undefined
  }

const formatNamed = (file: string | undefined) =>
  exportFormats.find((format) => file !== undefined && extname(file).toLowerCase() === `.${format}`)

function summaryLine({ kind, posts, ads, media, files }: ExportSummary): string {
  const count = (value: number, one: string, more: string) => `${value} ${value === 1 ? one : more}`
  const written = [
    ...(kind === 'paid-ads' ? [] : [count(posts, 'post', 'posts')]),
    ...(kind === 'organic' ? [] : [count(ads, 'ad', 'ads')]),
    ...(media > 0 ? [count(media, 'kept copy', 'kept copies')] : []),
  ]
  return `${kind}: exported ${written.join(', ')} to ${files.join(' and ')}`
}

interface ExportLinesOptions {
  out?: string
  json?: boolean
}

/** Exports all stored charts to a file for `import charts`. */
export const exportChartsCommand = (context: OperatorContext, options: ExportLinesOptions): Promise<0 | 1> =>
  exportLines(context, options, 'charts', 'places', (onPlaces) => chartLines(context.db, onPlaces))

/** Exports what other tools told of ranks of keywords to a file for `import keyword-ranks`. */
export const exportKeywordRanksCommand = (
  context: OperatorContext,
  options: ExportLinesOptions,
): Promise<0 | 1> =>
  exportLines(context, options, 'keyword-ranks', 'ranks', (onRanks) => keywordRankLines(context.db, onRanks))

/** Exports stored responses to a file for `import catalogue` or `import search-results`. */
export async function exportReadingsCommand(
  context: OperatorContext,
  kind: ExportedKind,
  options: ExportLinesOptions,
): Promise<0 | 1> {
  const { db, terminal } = context
  const gone = await readingsWithoutPayload(db, exportedFormats[kind])
  const code = await exportLines(context, options, kind, 'readings', (onReadings) =>
    readingLines(db, kind, onReadings),
  )
  const left = gone.reduce((sum, { readings }) => sum + readings, 0)
  if (code === 0 && left > 0)
    terminal.note(`${left} readings are not among them: retention removed what they held.`)
  return code
}

/** Writes lines to a file, compressed when its name ends with `.gz`. */
async function exportLines(
  { terminal, directory, signal }: OperatorContext,
  options: ExportLinesOptions,
  kind: string,
  counted: string,
  linesOf: (onLines: (count: number) => void) => AsyncGenerator<string>,
): Promise<0 | 1> {
  const path = exportPath(directory, options.out, kind, 'ndjson.gz')
  let done = 0
  const content = Readable.from(
    linesOf((count) => {
      done += count
      terminal.progress({ label: kind, done, total: 0, unit: 'records' })
    }),
  )
  try {
    await writeWhole(path.endsWith('.gz') ? content.compose(createGzip()) : content, path, signal)
    const summary = { kind, [counted]: done, files: [path] }
    terminal.out(options.json ? JSON.stringify(summary) : `${kind}: exported ${done} ${counted} to ${path}`)
    return 0
  } catch (error) {
    throw exportRefusalOf(signal, error)
  }
}

/** The path of an export: as given, otherwise named by kind and day in the current directory of the command. */
function exportPath(directory: string, out: string | undefined, kind: string, ending: string): string {
  return resolve(directory, out ?? `rivalscope-${kind}-${new Date().toISOString().slice(0, 10)}.${ending}`)
}

/** Why an export failed, in words. */
export function exportRefusalOf(signal: AbortSignal, error: unknown): Refusal {
  const why = signal.aborted
    ? 'Interrupted'
    : `The export failed: ${error instanceof Error ? error.message : error}`
  return new Refusal(`${why}. No half-written file was left.`)
}
