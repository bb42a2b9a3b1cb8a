import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { SavedMark } from '../contract/shapes/creatives.ts'
import { accountNamed } from '../domain/accounts/queries.ts'
import { importMarks, type Mark, type MarkOutcome } from '../domain/creatives/saving.ts'
import { requestMediaOf } from '../domain/media/archive-media.ts'
import { ownerName } from '../domain/media/media-id.ts'
import { recordMediaRequest } from '../domain/media/queries.ts'
import { postKind } from '../domain/organic/post.ts'
import { adKind, type NamedAd } from '../domain/paid-ads/ad.ts'
import { bytesOf, type Input, inputsOf } from '../imports/input-file.ts'
import { UnfitFileError } from '../imports/json-limits.ts'
import type { Damage, Piece } from '../imports/piece.ts'
import { piecesOf } from '../imports/pieces.ts'
import { Counting, type Preview } from '../imports/preview.ts'
import { RejectionFile } from '../imports/rejections.ts'
import { TruncatedError } from '../imports/unpacked.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { isExportedRow, savedOfRow } from '../suppliers/own-files/exported-table.ts'
import { controlCharacterPaths } from '../text/control-characters.ts'
import { adPlatforms } from '../vocabulary/ad-platforms.ts'
import { Refusal } from './command.ts'
import type { OperatorContext } from './operator-context.ts'

interface ImportSavedOptions {
  files: string[]
  account?: string
  encoding?: string
  rejected?: string
  json?: boolean
}

/** Imports what an account saved, from `export saved`: marks on stored posts and ads, for an account of this store. */
export async function importSavedCommand(
  context: OperatorContext,
  options: ImportSavedOptions,
): Promise<0 | 1> {
  const { db, terminal, directory, signal, stdin } = context
  const { files, account = 'default', encoding, rejected, json } = options
  const accountId = await accountNamed(db, account)
  if (accountId === undefined) throw new Refusal(`There is no account "${account}".`)
  const counts = { read: 0, stored: 0, unchanged: 0, rejected: 0 }
  try {
    const inputs = await inputsOf(files, directory, stdin)
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    const path = resolve(directory, rejected ?? `rejected-saved-${stamp}.ndjson`)
    await using rejections = await RejectionFile.at(
      path,
      inputs.map(({ name }) => name),
    )
    for (const input of inputs)
      for await (const read of marksOf(input, encoding)) {
        signal.throwIfAborted()
        const found = 'reason' in read ? [read] : await bring(db, accountId, account, read.rows)
        for (const one of found) {
          counts.read++
          if (one === 'stored' || one === 'unchanged') counts[one]++
          else {
            counts.rejected++
            await rejections.add(input.name, one)
          }
        }
      }
    const { first } = rejections
    if (first) {
      terminal.note(`First refused: ${basename(first.file)}, ${first.position}: ${first.reason}`)
      const { count, written } = rejections
      terminal.note(
        `Rejected records and why: ${path}${written < count ? `, the first ${written} of ${count}` : ''}`,
      )
    }
    const summary = {
      ...{ kind: 'saved', account, files: inputs.length, ...counts },
      ...{ rejectedFile: first ? path : null, firstRejection: first },
    }
    terminal.out(json ? JSON.stringify(summary) : summaryLine(summary))
    return counts.read > 0 && counts.rejected === counts.read ? 1 : 0
  } catch (error) {
    const why = signal.aborted
      ? 'Interrupted'
      : `The import failed: ${error instanceof Error ? error.message : String(error)}`
    throw new Refusal(`${why}. What was stored stays; run it again to go on.`)
  }
}

/** Reads a file as its import would, and stores nothing. Whether its posts and ads are stored is told by the import. */
export async function previewSaved(input: Input, encoding: string | undefined): Promise<Preview> {
  const counting = new Counting()
  for await (const read of marksOf(input, encoding))
    if ('reason' in read) counting.refuse(read)
    else
      for (const { position, record } of read.rows) {
        const mark = markIn(record)
        if (typeof mark === 'string') counting.refuse({ position, reason: mark })
        else counting.take(mark.savedAt.slice(0, 10))
      }
  return counting.preview
}

interface MarkRow {
  position: string
  record: unknown
}

const tableOrLines = 'export saved writes lines (.ndjson) and tables (.csv); a zip holds both: unpack it'

async function* marksOf(
  input: Input,
  encoding: string | undefined,
): AsyncGenerator<{ rows: MarkRow[] } | Rejection> {
  try {
    for await (const piece of piecesOf(
      bytesOf(input, () => {}, encoding),
      undefined,
      undefined,
    ))
      yield* marksIn(piece)
  } catch (error) {
    if (error instanceof UnfitFileError)
      yield { position: 'document', reason: `${error.message}; ${tableOrLines}` }
    else if (error instanceof TruncatedError) yield { position: 'end of file', reason: error.message }
    else throw error
  }
}

function* marksIn(piece: Piece | Damage): Generator<{ rows: MarkRow[] } | Rejection> {
  if ('reason' in piece) return yield piece
  try {
    // A document is a single line, or the lines in a list.
    const { layout, bytes, from } = piece
    const isList = layout === 'document' && bytes.toString('latin1').trimStart().startsWith('[')
    const { rows, rejected } = rowsOf(
      new RawPayload(bytes),
      { layout: layout === 'document' && !isList ? 'lines' : layout, country: null },
      from,
    )
    yield* rejected
    yield { rows }
  } catch (error) {
    if (!(error instanceof UnfitPayload)) throw error
    yield { position: `line ${piece.from}`, reason: `${error.message}; ${tableOrLines}` }
  }
}

/** Writes the marks of some rows, atomically. @returns the outcome of each, in order */
function bring(
  db: Database,
  accountId: string,
  account: string,
  rows: readonly MarkRow[],
): Promise<('stored' | 'unchanged' | Rejection)[]> {
  return inTransaction(db, async (transaction) => {
    const read = rows.map((row) => ({ ...row, mark: markIn(row.record) }))
    const marks = new Map<string, ImportedMark>()
    for (const { mark } of read)
      if (typeof mark !== 'string' && !marks.has(markedName(mark))) marks.set(markedName(mark), mark)
    const outcomes = await outcomesOf(transaction, accountId, [...marks.values()])
    return read.map(({ position, record, mark }) => {
      if (typeof mark === 'string') return { position, reason: mark, record }
      const name = markedName(mark)
      const first = marks.get(name)
      const outcome = first === mark ? outcomes.get(name) : repeated(outcomes.get(name), first, mark)
      if (outcome === 'stored' || outcome === 'unchanged') return outcome
      const from = 'postId' in mark ? 'organic' : 'paid-ads'
      const reason =
        outcome === 'not-stored'
          ? `${name} is not stored: run rivalscope import ${from} first, with this file or a fuller one`
          : `${account} saved ${name} already, with another time, note or tags, which stay`
      return { position, reason, record }
    })
  })
}

/** An ad has a row for each of its cards. */
function repeated(outcome: MarkOutcome | undefined, one: ImportedMark | undefined, other: ImportedMark) {
  if (outcome === 'not-stored') return outcome
  return JSON.stringify(one) === JSON.stringify(other) ? 'unchanged' : 'other'
}

async function outcomesOf(db: Database, accountId: string, marks: readonly ImportedMark[]) {
  const posts = marks.filter((mark) => 'postId' in mark)
  const ads = marks.filter((mark) => 'archiveId' in mark)
  const found = [
    ...(await importMarks(db, postKind, accountId, posts)),
    ...(await importMarks(db, adKind, accountId, ads)),
  ]
  const outcomes = new Map<string, MarkOutcome>()
  for (const [index, mark] of [...posts, ...ads].entries()) {
    const outcome = found[index]
    if (!outcome) continue
    outcomes.set(markedName(mark), outcome)
    if (outcome !== 'stored') continue
    await recordMediaRequest(db, accountId, ownerName(mark))
    await requestMediaOf(db, mark, false)
  }
  return outcomes
}

function summaryLine(counted: {
  account: string
  files: number
  read: number
  stored: number
  unchanged: number
  rejected: number
}): string {
  const { account, files, read, stored, unchanged, rejected } = counted
  const from = `${files} ${files === 1 ? 'file' : 'files'}`
  return `saved: read ${read}, stored ${stored}, unchanged ${unchanged}, rejected ${rejected} for ${account} from ${from}`
}

/** An exported mark and its post or ad. */
type ImportedMark = Mark & ({ postId: string } | NamedAd)

const Name = z.union([
  z.object({ postId: z.string().min(1).max(200) }),
  z.object({ platform: z.enum(adPlatforms), archiveId: z.string().regex(/^[0-9]{1,32}$/) }),
])
const Saved = z.object({ saved: SavedMark.nullish() })

/** The name of the marked post or ad, for messages and maps. */
const markedName = (mark: ImportedMark): string =>
  'postId' in mark ? `the post ${mark.postId}` : `the ad ${mark.platform}/${mark.archiveId}`

/** Tolerance for wrong clocks. */
const wrongClock = 3_600_000

/** Parses the mark in a line or row of `export saved`, or says why it is refused. */
function markIn(record: unknown): ImportedMark | string {
  const line = isExportedRow(record) ? savedOfRow(record) : record
  const name = Name.safeParse(line)
  if (!name.success)
    return 'neither a post nor an ad of an export: it has no postId, nor platform and archiveId'
  const parsed = Saved.safeParse(line)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`
  }
  const { saved } = parsed.data
  if (!saved) return 'nobody saved it: rivalscope export saved writes what an account did'
  const { savedAt, note, tags } = saved
  if (controlCharacterPaths(note, { multiline: true }).length > 0 || controlCharacterPaths(tags).length > 0)
    return 'its note or tags hold control characters or half a letter'
  if (Date.parse(savedAt) > Date.now() + wrongClock) return `savedAt is "${savedAt}", which lies ahead`
  return { ...name.data, savedAt, note: note || null, tags: [...new Set(tags)] }
}
