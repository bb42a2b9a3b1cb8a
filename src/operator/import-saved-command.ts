import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { SavedMark } from '../contract/shapes/creatives.ts'
import { accountNamed } from '../domain/accounts/queries.ts'
import {
  type ImportedSavedMark,
  importSavedMarks,
  type MarkImportOutcome,
  mostTags,
} from '../domain/creatives/saving.ts'
import { requestMediaOf } from '../domain/media/archive-media.ts'
import { mediaOwnerKey } from '../domain/media/media-id.ts'
import { recordMediaRequest } from '../domain/media/queries.ts'
import { postKind } from '../domain/organic/post.ts'
import { adKind, type NamedAd } from '../domain/paid-ads/ad.ts'
import { TruncatedError } from '../imports/decompress.ts'
import { type Input, inputsOf, utf8BytesOf } from '../imports/input-file.ts'
import { UnfitFileError } from '../imports/json-limits.ts'
import type { DamagedPart, FilePiece } from '../imports/piece.ts'
import { splitIntoPieces } from '../imports/pieces.ts'
import { Counting, type Preview } from '../imports/preview.ts'
import { RejectionFile } from '../imports/rejections.ts'
import {
  isOfExport,
  readSwipeMapping,
  type Swiped,
  type SwipedCreative,
  type SwipeSettings,
  swipedIn,
} from '../imports/swipe-file.ts'
import { MappingError } from '../ingest/mapping/mapping.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { type Row, rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { storeReadings } from '../projections/store-readings.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { foldPendingLists } from '../storage/pending-lists.ts'
import { isExportedRow, savedOfRow } from '../suppliers/own-files/exported-table.ts'
import { adLists, postLists } from '../suppliers/registry.ts'
import { controlCharacterPaths } from '../text/control-characters.ts'
import { adPlatforms, anyAdId } from '../vocabulary/ad-platforms.ts'
import { Refusal } from './command.ts'
import type { OperatorContext } from './operator-context.ts'

interface ImportSavedOptions {
  files: string[]
  account?: string
  board?: string
  observedAt?: string
  map?: string
  encoding?: string
  rejected?: string
  json?: boolean
}

/**
 * Imports what an account saved: marks on stored posts and ads from `export saved`, and the ads and posts of swipe files, which
 * are stored as evidence and saved.
 */
export async function importSavedCommand(
  context: OperatorContext,
  options: ImportSavedOptions,
): Promise<0 | 1> {
  const { db, terminal, directory, signal, stdin } = context
  const { files, account = 'default', encoding, rejected, json, map, board, observedAt } = options
  const accountId = await accountNamed(db, account)
  if (accountId === undefined) throw new Refusal(`There is no account "${account}".`)
  const counts = { read: 0, stored: 0, unchanged: 0, rejected: 0 }
  try {
    const settings: SwipeSettings = {
      ...(map === undefined ? {} : { mapping: await readSwipeMapping(resolve(directory, map)) }),
      ...(board === undefined ? {} : { board }),
      ...(observedAt === undefined ? {} : { observedAt }),
    }
    const weaklyDated = new Set<Input>()
    const saver = { db, accountId, account, settings, weaklyDated }
    const inputs = await inputsOf(files, directory, stdin)
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    const path = resolve(directory, rejected ?? `rejected-saved-${stamp}.ndjson`)
    await using rejections = await RejectionFile.at(
      path,
      inputs.map(({ name }) => name),
    )
    for (const input of inputs)
      for await (const read of rowsIn(input, encoding, settings)) {
        signal.throwIfAborted()
        const found = 'reason' in read ? [read] : await bring(saver, read.rows, input)
        for (const one of found) {
          counts.read++
          if (one === 'stored' || one === 'unchanged') counts[one]++
          else {
            counts.rejected++
            await rejections.add(input.name, one)
          }
        }
      }
    if (counts.stored > 0) await foldPendingLists(db)
    if (weaklyDated.size > 0)
      terminal.note(
        `${weaklyDated.size} of ${inputs.length} files ${weaklyDated.size === 1 ? 'tells' : 'tell'} no time of observation: modification times were taken. Give --observed-at to say it.`,
      )
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
    if (error instanceof MappingError) throw new Refusal(error.message)
    const why = signal.aborted
      ? 'Interrupted'
      : `The import failed: ${error instanceof Error ? error.message : String(error)}`
    throw new Refusal(`${why}. What was stored stays; run it again to go on.`, 1, { cause: error })
  }
}

/** Reads a file as its import would, and stores nothing. Whether the posts and ads of marks are stored is told by the import. */
export async function previewSaved(input: Input, encoding: string | undefined): Promise<Preview> {
  const counting = new Counting()
  for await (const read of rowsIn(input, encoding, {})) {
    if ('reason' in read) {
      counting.refuse(read)
      continue
    }
    const ours = read.rows.filter(({ record }) => isOfExport(record))
    const swiped = swipedIn(
      read.rows.filter((row) => !ours.includes(row)),
      input,
      {},
    )
    for (const { position, record } of ours) {
      const mark = markIn(record)
      if (typeof mark === 'string') counting.refuse({ position, reason: mark })
      else counting.take(mark.savedAt.slice(0, 10))
    }
    for (const { mark } of swiped.creatives) counting.take(mark.savedAt?.toISOString().slice(0, 10))
    for (const refused of swiped.rejected) counting.refuse(refused)
  }
  return counting.preview
}

const tableOrLines = 'export saved writes lines (.ndjson) and tables (.csv); a zip holds both: unpack it'

/** Where long documents keep their list. */
const lists = ['data', ...postLists, ...adLists]

async function* rowsIn(
  input: Input,
  encoding: string | undefined,
  settings: SwipeSettings,
): AsyncGenerator<{ rows: Row[] } | Rejection> {
  try {
    for await (const piece of splitIntoPieces(
      utf8BytesOf(input, () => {}, encoding),
      undefined,
      settings.mapping?.mapping.list ?? lists,
    ))
      yield* rowsOfPiece(piece, settings)
  } catch (error) {
    if (error instanceof UnfitFileError)
      yield { position: 'document', reason: `${error.message}; ${tableOrLines}` }
    else if (error instanceof TruncatedError) yield { position: 'end of file', reason: error.message }
    else throw error
  }
}

function* rowsOfPiece(
  piece: FilePiece | DamagedPart,
  { mapping }: SwipeSettings,
): Generator<{ rows: Row[] } | Rejection> {
  if ('reason' in piece) return yield piece
  try {
    const { layout, bytes, from } = piece
    const payload = new RawPayload(bytes)
    // A document is a single record, or the records in a list.
    if (layout === 'document' && !mapping && !Array.isArray(payload.document()))
      return yield { rows: [{ position: 'record 1', record: payload.document() }] }
    const mapped = mapping && {
      ...mapping.mapping,
      fields: { ...mapping.mapping.fields, ...mapping.own.fields },
    }
    const { rows, rejected } = rowsOf(payload, { layout, country: null, ...mapped }, from)
    yield* rejected
    yield { rows }
  } catch (error) {
    if (!(error instanceof UnfitPayload)) throw error
    yield { position: `line ${piece.from}`, reason: `${error.message}; ${tableOrLines}` }
  }
}

interface Saver {
  db: Database
  accountId: string
  account: string
  settings: SwipeSettings
  /** Files whose swipes are dated by when they were written. */
  weaklyDated: Set<Input>
}

type RowOutcome = 'stored' | 'unchanged' | Rejection

/** Writes the marks of some rows with the evidence that they bring, atomically. @returns the outcome of each mark and refusal */
async function bring(saver: Saver, rows: readonly Row[], input: Input): Promise<RowOutcome[]> {
  const ours = saver.settings.mapping ? [] : rows.filter(({ record }) => isOfExport(record))
  const isOurs = new Set(ours)
  const swiped = swipedIn(
    rows.filter((row) => !isOurs.has(row)),
    input,
    saver.settings,
  )
  if (swiped.payloads.some(({ timeBasis }) => timeBasis === 'file-modified')) saver.weaklyDated.add(input)
  return inTransaction(saver.db, async (transaction) => {
    const within = { ...saver, db: transaction }
    const isNew = await storeReadings(transaction, swiped.payloads)
    return [
      ...(await bringMarks(within, ours)),
      ...(await bringCreatives(within, swiped, isNew.includes(true))),
      ...swiped.rejected,
    ]
  })
}

async function bringMarks({ db, accountId, account }: Saver, rows: readonly Row[]): Promise<RowOutcome[]> {
  const read = rows.map((row) => ({ ...row, mark: markIn(row.record) }))
  const marks = new Map<string, ImportedMark>()
  for (const { mark } of read)
    if (typeof mark !== 'string' && !marks.has(markedName(mark))) marks.set(markedName(mark), mark)
  const outcomes = await outcomesOf(db, accountId, [...marks.values()], false)
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
}

/** Saves the creatives of a swipe file; one that stands on several boards has the tags of all. @param isNew whether any of its evidence is */
async function bringCreatives(
  { db, accountId, account }: Saver,
  { creatives, payloads }: Swiped,
  isNew: boolean,
): Promise<RowOutcome[]> {
  const savedAt = payloads[0]?.observedAt ?? new Date()
  const marks = new Map<string, ImportedMark>()
  const others = new Set<SwipedCreative>()
  for (const creative of creatives) {
    const { name, mark } = creative
    const key = markedName(name)
    const before = marks.get(key)
    if (before?.note && mark.note && before.note !== mark.note) others.add(creative)
    else
      marks.set(key, {
        ...name,
        savedAt: before?.savedAt ?? (mark.savedAt ?? savedAt).toISOString(),
        note: before?.note ?? mark.note,
        tags: [...new Set([...(before?.tags ?? []), ...mark.tags])],
      })
  }
  const outcomes = await outcomesOf(db, accountId, [...marks.values()], true)
  return creatives.map((creative) => {
    const { position, record, name } = creative
    const key = markedName(name)
    const outcome = others.has(creative) ? 'other' : outcomes.get(key)
    if (outcome === 'stored' || outcome === 'unchanged') return isNew ? 'stored' : outcome
    const reason =
      outcome === 'too-many'
        ? `${account} saved ${key} with other tags, and with these it would have over ${mostTags}: its evidence is stored`
        : `${account} saved ${key} with another note, which stays: its evidence is stored`
    return { position, reason, record }
  })
}

/** An ad has a row for each of its cards. */
function repeated(outcome: MarkImportOutcome | undefined, one: ImportedMark | undefined, other: ImportedMark) {
  if (outcome === 'not-stored') return outcome
  return JSON.stringify(one) === JSON.stringify(other) ? 'unchanged' : 'other'
}

/** @param adds as of `importSavedMarks` */
async function outcomesOf(db: Database, accountId: string, marks: readonly ImportedMark[], adds: boolean) {
  const posts = marks.filter((mark) => 'postId' in mark)
  const ads = marks.filter((mark) => 'archiveId' in mark)
  const found = [
    ...(await importSavedMarks(db, postKind, accountId, posts, adds)),
    ...(await importSavedMarks(db, adKind, accountId, ads, adds)),
  ]
  const outcomes = new Map<string, MarkImportOutcome>()
  for (const [index, mark] of [...posts, ...ads].entries()) {
    const outcome = found[index]
    if (!outcome) continue
    outcomes.set(markedName(mark), outcome)
    if (outcome !== 'stored') continue
    await recordMediaRequest(db, accountId, mediaOwnerKey(mark))
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
type ImportedMark = ImportedSavedMark & ({ postId: string } | NamedAd)

const Name = z.union([
  z.object({ postId: z.string().min(1).max(200) }),
  z.object({ platform: z.enum(adPlatforms), archiveId: z.string().regex(anyAdId) }),
])
const Saved = z.object({ saved: SavedMark.nullish() })

/** The name of the marked post or ad, for messages and maps. */
const markedName = (mark: { postId: string } | NamedAd): string =>
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
