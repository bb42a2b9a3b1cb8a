import { extname } from 'node:path'
import { accountNamed } from '../domain/accounts/queries.ts'
import { type ExportKind, type ExportSummary, exportFormats } from '../exports/export-request.ts'
import { runExport } from '../exports/run-export.ts'
import { type Input, Refusal } from './command.ts'
import { brokenExport, exportPath } from './export-file.ts'
import type { exportedSaved } from './exports.ts'
import { resolveApp } from './named.ts'
import type { OperatorContext } from './operator-context.ts'

/** Exports posts and ads, with their evidence, to files. Ends with a summary line. */
export async function exportCommand(
  context: OperatorContext,
  kind: ExportKind,
  options: Input<typeof exportedSaved>,
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
    throw brokenExport(signal, error)
  }
}

export const formatNamed = (file: string | undefined) =>
  exportFormats.find((format) => file !== undefined && extname(file).toLowerCase() === `.${format}`)

export function summaryLine({ kind, posts, ads, media, files }: ExportSummary): string {
  const count = (value: number, one: string, more: string) => `${value} ${value === 1 ? one : more}`
  const written = [
    ...(kind === 'paid-ads' ? [] : [count(posts, 'post', 'posts')]),
    ...(kind === 'organic' ? [] : [count(ads, 'ad', 'ads')]),
    ...(media > 0 ? [count(media, 'kept copy', 'kept copies')] : []),
  ]
  return `${kind}: exported ${written.join(', ')} to ${files.join(' and ')}`
}
