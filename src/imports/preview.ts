import type { Rejection } from '../ingest/parsed-payload.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { competitorsIn, keywordsIn } from './account-lists.ts'
import { CapturesTables } from './captures-table.ts'
import type { ImportRequest } from './import-request.ts'
import type { Input } from './input-file.ts'
import { refusalsOf, toldBy } from './own-listing.ts'
import { listingFilesAt } from './own-listing-files.ts'
import { type ImportProgress, inputParts } from './parts.ts'
import { readerOf, readsOf } from './run-import.ts'

/** What the import of a file would do. */
export interface Preview {
  /** Records found, the refused ones included. */
  records: number
  refused: number
  /** The first of them; null when there are none. */
  firstRefusal: { position: string; reason: string } | null
  /** The first and the last day it is about; null where it tells none. */
  firstDay: string | null
  lastDay: string | null
  /** How many apps it names. */
  apps: number
  /** Fields of accepted records that cannot be read, with their counts. */
  unreadable: Record<string, number>
  notes: string[]
}

/** What previews are counted with. */
export class Counting {
  readonly #apps = new Set<string>()
  readonly preview: Preview = {
    ...{ records: 0, refused: 0, firstRefusal: null, firstDay: null, lastDay: null, apps: 0 },
    ...{ unreadable: {}, notes: [] },
  }

  refuse({ position, reason }: Rejection): void {
    this.preview.records++
    this.#refused({ position, reason })
  }

  take(day?: string | undefined, app?: string): void {
    this.preview.records++
    this.#about(day, app)
  }

  add({ parsed, observedAt, timeBasis }: ParsedInput): void {
    const { preview } = this
    if (timeBasis === 'file-modified')
      this.#note('it tells no time of observation: its modification time is taken')
    preview.records += parsed.records
    for (const { position, reason } of parsed.rejected) this.#refused({ position, reason })
    for (const [field, count] of Object.entries(parsed.unreadable ?? {}))
      preview.unreadable[field] = (preview.unreadable[field] ?? 0) + count
    for (const note of parsed.notes ?? []) this.#note(note)
    const at = observedAt.toISOString().slice(0, 10)
    for (const { sighting } of parsed.sightings) this.#about(at, sighting.storeId)
    for (const storeId of parsed.resultPage?.storeIds ?? []) this.#about(at, storeId ?? undefined)
    for (const { statedDay, capturedAt = observedAt, storeIds } of parsed.charts)
      for (const storeId of storeIds) this.#about(statedDay ?? dayOf(capturedAt), storeId ?? undefined)
    for (const { statedDay, capturedAt, ranks } of parsed.listRanks ?? [])
      for (const { storeId } of ranks) this.#about(statedDay ?? dayOf(capturedAt), storeId)
    for (const { day, storeId } of [...(parsed.sales ?? []), ...(parsed.toolRanks ?? [])])
      this.#about(day, storeId)
    for (const { stated, observedAt: own } of parsed.posts ?? [])
      this.#about(stated.publishedAt?.slice(0, 10) ?? dayOf(own ?? observedAt))
    for (const { stated, observedAt: own } of parsed.ads ?? [])
      this.#about(stated.startedOn?.slice(0, 10) ?? dayOf(own ?? observedAt))
  }

  #note(note: string): void {
    const { notes } = this.preview
    if (notes.length < mostNotes && !notes.includes(note)) notes.push(note)
  }

  #refused(refusal: { position: string; reason: string }): void {
    this.preview.refused++
    this.preview.firstRefusal ??= refusal
  }

  #about(day: string | undefined, app?: string): void {
    const { preview } = this
    if (day !== undefined && (preview.firstDay === null || day < preview.firstDay)) preview.firstDay = day
    if (day !== undefined && (preview.lastDay === null || day > preview.lastDay)) preview.lastDay = day
    if (app === undefined) return
    this.#apps.add(app)
    preview.apps = this.#apps.size
  }
}

const mostNotes = 20
const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/** Reads a file as an import of its kind would, in bounded memory, and stores nothing. */
export async function previewImport(
  input: Input,
  request: ImportRequest,
  onProgress: ImportProgress,
): Promise<Preview> {
  const counting = new Counting()
  const refuse = async (_: Input, rejection: Rejection) => counting.refuse(rejection)
  const note = (text: string) => counting.preview.notes.push(text)
  const captures = new CapturesTables(refuse, note, request.encoding)
  const pages = request.kind === 'search-results' ? await captures.takeFrom([input], request) : [input]
  const read = readerOf(request, captures)
  for await (const part of inputParts(pages, request, onProgress))
    for await (const payload of readsOf(part, request.kind, read))
      if ('reason' in payload) counting.refuse(payload)
      else counting.add(payload)
  return counting.preview
}

/** Reads a list of keywords or apps as its import would, and stores nothing. What the store has to tell is told by the import. */
export async function previewList(
  kind: 'keywords' | 'competitors',
  input: Input,
  encoding: string | undefined,
): Promise<Preview> {
  const counting = new Counting()
  for await (const listed of kind === 'keywords' ? keywordsIn(input, encoding) : competitorsIn(input, encoding))
    if ('reason' in listed) counting.refuse(listed)
    else counting.take(undefined, listed.app && Object.values(listed.app)[0])
  return counting.preview
}

/** Reads a file of an own listing as its import would, and stores nothing. What several files tell together is told by the import. */
export async function previewListing(path: string, encoding: string | undefined): Promise<Preview> {
  const counting = new Counting()
  for (const file of await listingFilesAt([path], '/', undefined)) {
    const { texts, rejected, note } = await toldBy(file, encoding)
    for (const one of rejected) counting.refuse(one)
    for (const [position, told] of Map.groupBy(texts, ({ position }) => position)) {
      const reasons = told.flatMap(refusalsOf)
      if (reasons.length > 0) counting.refuse({ position, reason: [...new Set(reasons)].join('; ') })
      else counting.take()
    }
    if (note) counting.preview.notes.push(note)
  }
  return counting.preview
}
