import { z } from 'zod'
import { mostTags } from '../domain/creatives/saving.ts'
import type { NamedAd } from '../domain/paid-ads/ad.ts'
import { isRecord } from '../ingest/ads/ad-values.ts'
import { formed, unlessUnreadable } from '../ingest/mapping/mapped-values.ts'
import {
  type Mapping,
  MappingError,
  parseMapping,
  readMappingFile,
  shown,
  valueAt,
} from '../ingest/mapping/mapping.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { momentOf } from '../ingest/posts/moments.ts'
import { nestedRow, type Row } from '../ingest/rows.ts'
import { namesShown } from '../ingest/unreadable.ts'
import { isExported, isExportedRow } from '../suppliers/own-files/exported-table.ts'
import { mappedAdRecord } from '../suppliers/own-files/mapped-ad.ts'
import { mappedPost } from '../suppliers/own-files/mapped-post.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { postsIn } from '../suppliers/post-forms.ts'
import { isKnownForm } from '../suppliers/read-ad-record.ts'
import { adLists } from '../suppliers/registry.ts'
import { controlCharacterPaths } from '../text/control-characters.ts'
import type { ImportRequest } from './import-request.ts'
import type { Input } from './input-file.ts'
import { readPiece } from './read-piece.ts'

type Kind = 'organic' | 'paid-ads'

/** What a person wrote beside what they saved, and when, where a file tells it. */
export interface SwipedMark {
  savedAt?: Date
  note: string | null
  /** Boards first, each once. */
  tags: readonly string[]
}

/** A creative in a swipe file. */
export interface SwipedCreative {
  position: string
  record: unknown
  name: { postId: string } | NamedAd
  mark: SwipedMark
}

/** How a swipe file is to be read. */
export interface SwipeSettings {
  mapping?: SwipeMapping
  /** The board that all of the files are of. */
  board?: string
  observedAt?: string
}

/** A mapping of ads or posts, with the fields of what a person wrote beside them. */
interface SwipeMapping {
  kind: Kind
  mapping: Mapping
  own: Pick<Mapping, 'fields' | 'constants' | 'separators' | 'dates'>
}

/** Fields of a mapping beside those of an ad or a post. */
const ownFields = ['boards', 'tags', 'note', 'savedAt']

/** @throws MappingError */
export async function readSwipeMapping(path: string): Promise<SwipeMapping> {
  const document = await readMappingFile(path)
  if (!isRecord(document)) throw new MappingError(`The mapping ${path} is no object.`)
  const around = ['document', 'fileName'].find((name) => name in document)
  if (around)
    throw new MappingError(`The mapping ${path} has ${around}, which a mapping of saved items cannot have.`)
  const split = (name: string, isOwn: boolean) => {
    const part = document[name]
    if (!isRecord(part)) return isOwn || part === undefined ? {} : { [name]: part }
    const kept = Object.entries(part).filter(([field]) => ownFields.includes(field) === isOwn)
    return { [name]: Object.fromEntries(kept) }
  }
  const parts = ['fields', 'constants', 'separators', 'dates']
  const rest = { ...document, ...Object.assign({}, ...parts.map((name) => split(name, false))) }
  const ownPart = Object.assign({}, ...parts.map((name) => split(name, true)))
  const named = { ...Object(rest.fields), ...Object(rest.constants) }
  const kind: Kind = 'platform' in named || 'archiveId' in named ? 'paid-ads' : 'organic'
  const own = OwnPart.safeParse(ownPart)
  if (!own.success)
    throw new MappingError(
      `The mapping ${path} is not valid at "${own.error.issues[0]?.path.join('.') ?? ''}": ${own.error.issues[0]?.message ?? ''}`,
    )
  return { kind, mapping: parseMapping(rest, kind, path), own: own.data }
}

const Texts = z.record(z.string(), z.string().min(1)).default({})
const Lists = z
  .record(
    z.string(),
    z.union([z.string().min(1), z.array(z.string().min(1))]).transform((one) => [one].flat()),
  )
  .default({})
const OwnPart = z.object({ fields: Texts, constants: Texts, separators: Lists, dates: Lists })

/** Whether a record is a line or row of an export of ours, whose post or ad an import of its own brings. */
export const isOfExport = (record: unknown): boolean =>
  isExportedRow(record) ||
  (isRecord(record) && (isExported(record) || (record.saved !== undefined && !holdsContent(record))))

/** Whether a record tells more of an ad or post than which it is. */
const holdsContent = (record: Record<string, unknown>): boolean =>
  Object.keys(record).some((name) => !['postId', 'platform', 'archiveId', 'saved'].includes(name))

/** Whether a record brings its ad or post, and says what was written beside it. */
export const isSwiped = (record: unknown): boolean =>
  isRecord(record) && isRecord(record.saved) && !isOfExport(record)

/** The creatives in some rows, and the payloads that tell of them: without what a person wrote, which is theirs alone. */
export interface Swiped {
  creatives: SwipedCreative[]
  rejected: Rejection[]
  payloads: ParsedInput[]
}

export function swipedIn(rows: readonly Row[], input: Input, settings: SwipeSettings): Swiped {
  const swiped: Swiped = { creatives: [], rejected: [], payloads: [] }
  const lines: Record<Kind, string[]> = { organic: [], 'paid-ads': [] }
  const read = (kind: Kind, text: string) =>
    readPiece(
      { layout: 'lines', bytes: Buffer.from(text), from: 1, part: 1 },
      input,
      requestOf(kind, settings.observedAt),
    )
  for (const { position, record } of rows) {
    const found = settings.mapping ? mappedItem(record, settings.mapping) : plainItem(record)
    const mark = typeof found === 'string' ? found : markOf(found.mark, settings.board)
    if (typeof found === 'string' || typeof mark === 'string') {
      swiped.rejected.push({ position, reason: String(mark), record })
      continue
    }
    const line = `${JSON.stringify(found.record)}\n`
    const parsed = read(found.kind, line)
    if ('reason' in parsed) {
      swiped.rejected.push({ position, reason: parsed.reason, record })
      continue
    }
    const { ads = [], posts = [], rejected } = parsed.parsed
    for (const one of rejected)
      swiped.rejected.push({ ...one, position: one.position.replace(/^line 1\b/, position) })
    const names = [
      ...ads.map(({ platform, archiveId }) => ({ platform, archiveId })),
      ...posts.map(({ network, nativeId }) => ({ postId: `${network}_${nativeId}` })),
    ]
    const known = new Map(names.map((name) => [JSON.stringify(name), name]))
    for (const name of known.values()) swiped.creatives.push({ position, record, name, mark })
    if (known.size > 0) lines[found.kind].push(line)
  }
  for (const kind of ['organic', 'paid-ads'] as const) {
    if (lines[kind].length === 0) continue
    const payload = read(kind, lines[kind].join(''))
    if (!('reason' in payload)) swiped.payloads.push(payload)
  }
  return swiped
}

const requestOf = (kind: Kind, observedAt: string | undefined): ImportRequest => ({
  ...{ kind, paths: [], directory: '', rejectedFile: '' },
  ...(observedAt === undefined ? {} : { observedAt }),
})

/** An ad or a post, and what stands beside it of the person who saved it. */
interface Item {
  kind: Kind
  record: object
  mark: unknown
}

/** An item of a form that is known; its mark stands in it as `saved`, where it is one of our own shape. */
function plainItem(record: unknown): Item | string {
  const row =
    isRecord(record) && Object.values(record).every((cell) => typeof cell === 'string')
      ? nestedRow(record)
      : record
  if (!isRecord(row)) return `neither a post nor an ad: no object`
  const { saved, ...item } = row
  if (holdsAd(item, deepest)) return { kind: 'paid-ads', record: item, mark: saved }
  const isPost = postsIn(item, '', undefined).some(({ form }) => form !== undefined)
  return isPost
    ? { kind: 'organic', record: item, mark: saved }
    : `neither a post nor an ad of an export or of a form that is known; other tables and lists need a mapping: pass --map FILE; it has ${namesShown(Object.keys(row), 12)}`
}

/** Levels of nesting of an answer around its ads. */
const deepest = 8

const holdsAd = (value: unknown, depth: number): boolean =>
  isKnownForm(value) ||
  (depth > 0 &&
    (Array.isArray(value)
      ? value.some((one) => holdsAd(one, depth - 1))
      : isRecord(value) && adLists.some((name) => holdsAd(value[name], depth - 1))))

/** An item by a mapping, as a record of our own shape. */
function mappedItem(record: unknown, { kind, mapping, own }: SwipeMapping): Item | string {
  return unlessUnreadable(() => {
    const context = { layout: 'lines', country: null, ...mapping } as const
    const read = kind === 'paid-ads' ? mappedAdRecord : mappedPost
    const values = (field: string) => {
      const path = own.fields[field]
      const value = path === undefined ? undefined : valueAt(record, path)
      return formed(field, value ?? own.constants[field], own, undefined)
    }
    const list = (field: string) => {
      const value = values(field)
      return Array.isArray(value) ? value.map(shown) : shown(value ?? '').split(/[,;|]/)
    }
    const text = shown(values('note') ?? '').trim()
    const mark = {
      boards: list('boards'),
      tags: list('tags'),
      note: text || null,
      savedAt: values('savedAt') || null,
    }
    return { kind, record: read(record, context, mapping.constants), mark }
  })
}

const List = z.array(z.string()).nullish()
const Mark = z
  .object({
    boards: List,
    tags: List,
    note: z.string().max(2000, 'over 2,000 characters').nullish(),
    savedAt: z.union([z.string(), z.number()]).nullish(),
  })
  .nullish()

/** Tolerance for wrong clocks. */
const wrongClock = 3_600_000

/** What a person wrote, or why it cannot be kept. */
function markOf(found: unknown, board: string | undefined): SwipedMark | string {
  const parsed = Mark.safeParse(found)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `saved.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  }
  const { boards, tags, note, savedAt } = parsed.data ?? {}
  const words = [...(board === undefined ? [] : [board]), ...(boards ?? []), ...(tags ?? [])]
  const named = [...new Set(words.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
  const long = named.find((tag) => tag.length > 50)
  if (long !== undefined) return `the tag "${long.slice(0, 60)}…" has over 50 characters`
  if (named.length > mostTags) return `it has ${named.length} boards and tags; at most ${mostTags} are kept`
  if (controlCharacterPaths(note, { multiline: true }).length > 0 || controlCharacterPaths(named).length > 0)
    return 'its note or tags hold control characters or half a letter'
  const at = savedAt === undefined || savedAt === null ? undefined : momentOf(savedAt)
  if (savedAt !== undefined && savedAt !== null && !at)
    return `savedAt: "${shown(savedAt).slice(0, 60)}" is no time that can be; a mapping can name its form, such as "dates": {"savedAt": "d/m/yy"}`
  if (at && at.getTime() > Date.now() + wrongClock) return `savedAt is ${at.toISOString()}, which lies ahead`
  return { ...(at ? { savedAt: at } : {}), note: note || null, tags: named }
}
