import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Rivalscope } from '../client/client.ts'
import { type OpenContent, writeExport } from '../exports/run-export.ts'
import { tableOfAds, tableOfPosts } from '../exports/tables.ts'
import type { Input } from './command.ts'
import { exportPath, formatNamed, summaryLine } from './export-command.ts'
import type { exportedSaved } from './exports.ts'
import type { RemoteContext } from './operator-context.ts'

/** What the account of a key saved, asked of a running server page by page. */
export async function exportRemotely(
  { server, key, terminal, directory, signal }: RemoteContext,
  { out, format: named, json }: Input<typeof exportedSaved>,
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

/** Copies are served to whoever knows their hash. */
const keptAt =
  (server: string, signal: AbortSignal): OpenContent =>
  async (sha256) => {
    const reply = await fetch(`${server}/media/${sha256}`, { signal })
    if (reply.status === 200 && reply.body) return Readable.fromWeb(reply.body as ReadableStream)
    await reply.body?.cancel()
    return undefined
  }
