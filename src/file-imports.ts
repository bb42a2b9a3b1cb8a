import { createReadStream } from 'node:fs'
import { mkdtemp, mkdtempDisposable, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { type Caller, recordWriteOf } from './api/caller.ts'
import {
  admitKind,
  type CalibrationVerdict,
  type FileImports,
  type FilePreview,
  fileTooLarge,
  largestFile,
  listedFileImport,
  refusalOfKind,
  type SentFile,
} from './api/file-imports.ts'
import { readAt } from './api/input.ts'
import { Problem } from './api/problem.ts'
import type { Enqueue } from './domain/work/ask-for-work.ts'
import { type FileImportInput, newestFileImports, startFileImport } from './domain/work/file-imports.ts'
import { as, isOfUse, type Looked, lookAt, order, reported, sayable, takenBy } from './import-files.ts'
import type { AnyKind } from './imports/recognise.ts'
import type { ImportedFile, ImportFile } from './jobs/job-kind.ts'
import { Refusal, type StoreCommand } from './operator/command.ts'
import type { OperatorContext, Terminal } from './operator/operator-context.ts'
import { type Database, inTransaction } from './storage/database.ts'
import { removeLeftOvers, spool } from './storage/spool.ts'
import { isStoreUnavailable } from './storage/store.ts'

/** Files that people send from the pages, read and imported by the code of `rivalscope import`. */

/** Most bytes of a file when it is unpacked. */
const mostUnpacked = 512 * 1024 * 1024
/** Bytes of a file name; file systems take 255. */
const longestName = 200
const folderName = 'rivalscope-sent-'
/** Refused records that are told of one import. */
const mostRejections = 50
const longestReason = 400

const Said = z.strictObject({
  name: z.string().min(1).max(1_000),
  /** When the file was last written. */
  modifiedAt: z.iso.datetime({ offset: true }).exactOptional(),
  kind: z.enum(order as [AnyKind, ...AnyKind[]]).exactOptional(),
  ...sayable,
})
type Said = z.output<typeof Said>

/** A file that was sent, in a folder of its own. */
interface Received extends AsyncDisposable {
  folder: string
  path: string
  said: Said
  bytes: number
  sha256: string
}

/** @param enqueue adds the job of an import */
export function fileImportsOn(db: Database, enqueue: Enqueue): FileImports {
  /** Accounts of which a file is being read: reading takes memory and time. */
  const reading = new Map<string, string>()

  async function read<T>(
    { accountId }: Caller,
    sent: SentFile,
    perform: (file: Received, looked: Looked) => Promise<T>,
  ): Promise<T> {
    const said = saidOf(sent)
    const other = reading.get(accountId)
    if (other !== undefined) throw underWay(other, 'read')
    reading.set(accountId, said.name)
    try {
      await using file = await receive(sent, said)
      return await perform(file, await lookAtOne(file))
    } finally {
      reading.delete(accountId)
    }
  }

  return {
    preview: (caller, sent) => read(caller, sent, async (file, looked) => previewOf(caller, file, looked)),

    start: (caller, sent) =>
      read(caller, sent, async (file, looked) => {
        const { kind, of } = importable(caller, looked)
        const { name, modifiedAt = null, kind: _, ...said } = file.said
        const { bytes, sha256 } = file
        const input: FileImportInput = { name, bytes, sha256, modifiedAt, kind, of, said }
        const { accountId } = caller
        const content = createReadStream(file.path, { highWaterMark: 1024 * 1024 })
        const work = await inTransaction(db, async (transaction) => {
          const started = await startFileImport(transaction, enqueue, accountId, input, content)
          if (started)
            await recordWriteOf(transaction, caller, {
              operation: `import ${kind}`,
              input: { workId: started.workId, name, sha256, ...said },
              outcome: 'accepted',
            })
          return started
        }).finally(() => content.destroy())
        if (work) return listedFileImport(work)
        const [newest] = await newestFileImports(db, accountId)
        throw underWay(newest ? listedFileImport(newest).name : name, 'imported')
      }),

    list: async ({ accountId }) => (await newestFileImports(db, accountId)).map(listedFileImport),

    async calibrate(caller) {
      admitKind(caller, 'sales')
      return inTransaction(db, async (transaction) => {
        const verdict = await calibrated(transaction)
        await recordWriteOf(transaction, caller, {
          operation: 'calibrate',
          input: { ownDays: verdict.ownDays, charts: verdict.charts.length },
          outcome: 'created',
        })
        return verdict
      })
    },
  }
}

const underWay = (name: string, how: 'read' | 'imported') =>
  new Problem(
    'import-under-way',
    `${JSON.stringify(name.slice(0, 100))} of this account is being ${how}. Nothing was stored: send this file again when it has ended.`,
  )

/** @throws Problem `invalid-request` naming each mistake */
function saidOf({ said }: SentFile): Said {
  const read = readAt('/query', Said, { ...said })
  return { ...read, name: nameFrom(read.name) }
}

/** The last part of a name as it may stand in a folder: without controls, its end where it is long. */
function nameFrom(sent: string): string {
  const [name = ''] = sent.split(/[/\\]/).slice(-1)
  let kept = name.toWellFormed().replaceAll(/\p{Cc}/gu, '')
  while (Buffer.byteLength(kept) > longestName) kept = [...kept].slice(1).join('')
  return kept === '' || kept === '.' || kept === '..' ? 'file' : kept
}

/** Writes a file that is being sent into a folder. @throws Problem `body-too-large`; the error of a connection that breaks */
async function receive({ content }: SentFile, said: Said): Promise<Received> {
  await removeLeftOvers(tmpdir(), new Date(), folderName)
  const folder = await mkdtempDisposable(join(tmpdir(), folderName))
  try {
    const spooled = await spool(bounded(content), folder.path)
    const path = join(folder.path, said.name)
    await rename(spooled.path, path)
    if (said.modifiedAt !== undefined) await utimes(path, new Date(), new Date(said.modifiedAt))
    const { sizeBytes: bytes, sha256 } = spooled
    return { folder: folder.path, path, said, bytes, sha256, [Symbol.asyncDispose]: () => folder.remove() }
  } catch (error) {
    await folder.remove()
    throw error
  }
}

async function* bounded(content: Readable | undefined): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of (content ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > largestFile) throw fileTooLarge()
    yield chunk
  }
}

async function lookAtOne({ folder, path, said }: Received): Promise<Looked> {
  const { name: _name, modifiedAt: _modifiedAt, ...reading } = said
  const reader = {
    directory: folder,
    signal: new AbortController().signal,
    terminal: { progress: () => {} },
  }
  const [looked] = await lookAt(reader, { files: [path], mostUnpacked, ...reading })
  if (!looked) throw new Error('A file that was received is not there.')
  return looked
}

function previewOf(caller: Caller, { said, bytes }: Received, looked: Looked): FilePreview {
  const { file: _file, ...shown } = reported(looked)
  const { preview } = looked
  const { kind, of, kinds, couldBe, why, unread } = shown
  const refusals = kinds.flatMap((one) => refusalOfKind(caller, one) ?? [])
  return {
    ...{ name: said.name, bytes, kind, of, kinds, couldBe, why, unread },
    ...(preview ? { found: preview } : {}),
    importable: kinds.length > 0 && isOfUse(preview),
    refusal: refusals[0] ?? null,
  }
}

/** What a file is imported as. @throws Problem where it is nothing, or the caller may not import it */
function importable(caller: Caller, looked: Looked) {
  const { meant, several, why, preview } = looked
  const main = meant.at(-1)
  if (!main) {
    const could = several.map(({ kind }) => kind).join(' or ')
    throw unfit(could ? `It could be ${could}: say which.` : `It is not recognised: ${why ?? ''}.`)
  }
  for (const { kind } of meant) admitKind(caller, kind)
  if (!isOfUse(preview)) {
    const first = preview?.firstRefusal
    throw unfit(
      first
        ? `All of it would be refused; the first, ${first.position}: ${first.reason.slice(0, longestReason)}`
        : 'It holds no record.',
    )
  }
  return main
}

const unfit = (why: string) =>
  new Problem('invalid-request', `Nothing was stored. ${why}`, { errors: [{ pointer: '/body', message: why }] })

/** @throws Problem `import-under-way` while another calibration runs: each takes memory and time, and all are of the same sales */
async function calibrated(transaction: Database): Promise<CalibrationVerdict> {
  const { calibrateCharts, lockForCalibration, whyCalibrationUnused } = await import(
    './domain/estimates/calibrate.ts'
  )
  if (!(await lockForCalibration(transaction)))
    throw new Problem(
      'import-under-way',
      'The estimates are being calibrated already. Ask again when that has ended.',
    )
  const { ownDays, charts } = await calibrateCharts(transaction, new Date())
  return {
    ownDays,
    charts: charts.map((one) => ({
      ...{ chart: one.chart, metric: one.metric, currency: one.currency, days: one.days },
      ...{ used: one.fit?.used ?? false, why: whyCalibrationUnused(one) ?? null },
      ...{ errorBefore: one.fit?.errorBefore ?? null, errorAfter: one.fit?.errorAfter ?? null },
      heldOut: one.fit?.heldOut ?? null,
    })),
  }
}

/** What imports need of the service that performs them. */
type ImportParts = Pick<
  OperatorContext,
  'store' | 'db' | 'collecting' | 'media' | 'notifications' | 'retention'
>

/** Imports a file by the commands of the kinds that it holds, in their order. */
export const importFileOn =
  (parts: ImportParts): ImportFile =>
  async ({ folder, account, input, createdAt, content, progress, signal }) => {
    const path = join(folder, input.name)
    await pipeline(content, async (chunks) => writeFile(path, chunks, { signal }))
    if (input.modifiedAt !== null) await utimes(path, new Date(), new Date(input.modifiedAt))
    const { inputsOf } = await import('./imports/input-file.ts')
    const { Recogniser } = await import('./imports/recognise.ts')
    const { importCommands } = await import('./operator/imports.ts')
    const kind = input.kind as AnyKind
    const [file] = await inputsOf([path], folder, undefined)
    if (!file) throw new Error('A file that was written is not there.')
    const found = as(kind, await new Recogniser(input.said.encoding).recognise(file))
    const meant = 'meant' in found ? found.meant : []
    const summaries: ImportedFile[] = []
    // Its name is random: no sender can name a file like it.
    const rejections = await mkdtemp(join(folder, 'rejected-'))
    for (const [index, { kind, map }] of meant.entries()) {
      const rejected = join(rejections, `rejected-${kind}.ndjson`)
      const row: StoreCommand = importCommands[`import ${kind}`]
      const said = { ...ofMoment(kind, createdAt), ...input.said, ...(map ? { map } : {}) }
      const given = { ...takenBy(row, { ...said, account, rejected, json: true }), files: [path] }
      let printed: string | undefined
      const terminal: Terminal = {
        out(text) {
          printed = text
        },
        note() {},
        progress: ({ done, total }) => progress(Math.round((index * total + done) / meant.length), total),
      }
      const here = { environment: process.env, stdin: undefined, directory: folder, signal }
      try {
        await row.perform({ ...parts, terminal, ...here }, given)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof Refusal)) throw error
        if (isStoreUnavailable(error.cause)) throw error.cause
        return { summaries, failure: error.message }
      }
      signal.throwIfAborted()
      if (printed === undefined) throw new Error(`import ${kind} printed no summary`)
      summaries.push(await summaryOf(kind, printed, rejected))
    }
    return { summaries, failure: undefined }
  }

/** A listing is of the moment in which it was sent, whenever its import comes to run. */
const ofMoment = (kind: AnyKind, createdAt: Date) =>
  kind === 'listing' ? { observedAt: createdAt.toISOString() } : {}

async function summaryOf(kind: AnyKind, printed: string, rejectedFile: string): Promise<ImportedFile> {
  const summary = JSON.parse(printed) as Omit<ImportedFile, 'notes'> & {
    notes?: string[]
    weaklyDated?: number
    unreadable?: Record<string, number>
  }
  const { read, stored, unchanged, rejected, notes = [], weaklyDated = 0, unreadable = {} } = summary
  const text = rejected > 0 ? await readFile(rejectedFile, 'utf8') : ''
  const lines = text.split('\n', mostRejections).filter((line) => line !== '')
  const rejections = lines.map((line) => {
    const { position, reason } = JSON.parse(line) as { position: string; reason: string }
    return { position, reason: reason.slice(0, longestReason) }
  })
  const fields = Object.entries(unreadable).map(([field, count]) => `${field} of ${count}`)
  return {
    ...{ kind, read, stored, unchanged, rejected, rejections },
    notes: [
      ...(weaklyDated > 0
        ? ['It tells no time of observation: when the file was last changed was taken.']
        : []),
      ...(fields.length > 0 ? [`Not measured, since it cannot be read: ${fields.join(', ')}.`] : []),
      // The file of rejected records goes with the import: nobody can look into it.
      ...notes.filter((note) => !note.startsWith(rejectedFile)),
    ],
  }
}
