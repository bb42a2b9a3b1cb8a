import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { CommandContext } from './cli/command-context.ts'
import { type ConnectionOptions, connectionOf } from './cli/connection.ts'
import { explainOperationFailure } from './cli/operations/failure-words.ts'
import { UsageError } from './cli/options.ts'
import { Rivalscope } from './client/client.ts'
import { writeExport } from './exports/run-export.ts'
import { tableOfAds, tableOfPosts } from './exports/tables.ts'
import type { OpenContent } from './exports/zip.ts'
import { formatNamed, summaryLine } from './operator/export-command.ts'
import { ExportInput } from './operator/rows/export.ts'
import type { Terminal } from './operator/terminal.ts'

/** What the account of a key saved, asked of a running server page by page: no store is opened here. */
export async function exportAtDistance(
  connection: ConnectionOptions,
  input: unknown,
  terminal: Terminal,
  { env, directory, signal }: Pick<CommandContext, 'env' | 'directory' | 'signal'>,
): Promise<number> {
  const { out, format: named, account, competitor, json } = ExportInput.parse(input)
  if (account !== undefined || competitor !== undefined)
    throw new UsageError(
      '--account and --competitor go with a store: a key exports all that its own account saved',
    )
  try {
    const { server, key, warnings } = await connectionOf(connection, env)
    for (const warning of warnings) terminal.note(`warning: ${warning}`)
    if (key === undefined)
      throw new UsageError(`no key for ${server}: give --key, or name a --profile that has one`)
    const rivalscope = new Rivalscope({ server, key })
    const tables = [
      tableOfPosts(async function* () {
        for await (const { post } of rivalscope.listSavedOrganicContent({ limit: 100 }, { signal })) yield post
      }),
      tableOfAds(() => rivalscope.searchPaidAds({ saved: true, limit: 100 }, { signal })),
    ]
    const format = named ?? formatNamed(out) ?? 'ndjson'
    const path = resolve(
      directory,
      out ?? `rivalscope-saved-${new Date().toISOString().slice(0, 10)}.${format}`,
    )
    const progress = (done: number) => terminal.progress({ label: 'saved', done, total: 0, unit: 'records' })
    const order = { kind: 'saved', format } as const
    const summary = await writeExport(tables, order, path, keptAt(server, signal), progress, signal)
    terminal.out(json ? JSON.stringify(summary) : summaryLine(summary))
    return 0
  } catch (error) {
    const reported = explainOperationFailure(error, [])
    if (!reported) throw error
    terminal.note(reported.message)
    return reported.code
  }
}

/** Copies are served to whoever knows their hash. */
const keptAt =
  (server: string, signal: AbortSignal): OpenContent =>
  async (sha256) => {
    const reply = await fetch(`${server}/media/${sha256}`, { signal })
    if (reply.status === 200 && reply.body) return Readable.fromWeb(reply.body as ReadableStream)
    await reply.body?.cancel()
    return undefined
  }
