import { decodeHTMLStrict } from 'entities/decode'
import type { PostFields } from '../../domain/organic/post.ts'
import { isBlank } from '../../text/blank-text.ts'
import { hashtagsIn } from '../../text/hashtags.ts'
import { postFieldsOf, postOwnFormatName } from '../../vocabulary/post-fields.ts'
import { shown, valueAt } from '../mapping/mapping.ts'
import { carried, type Unreadable, unreadable } from '../unreadable.ts'
import type { OwnPost } from './own-post-shape.ts'

/** A foreign record in our format, not yet validated. Unreadable values are `unreadable`. */
export type PostDraft = { [Field in keyof OwnPost]?: unknown }

/** Context of a list of posts: the profile they were taken from, and when they were seen. */
export interface Around {
  observedAt?: unknown
  author?: { handle?: unknown; name?: unknown; bio?: unknown; followers?: unknown; links?: unknown }
}

/** How one form of record is recognised and parsed. */
export interface PostForm {
  /** Whether a record has this form; a form asks for fields that no other has. */
  is(record: object): boolean
  /** The record in our shape, or why it is refused. */
  read(record: object, around: Around): PostDraft | string
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && isBlank(value))

/** The first non-empty value of these dotted paths. */
export function firstOf(record: unknown, ...paths: string[]): unknown {
  for (const path of paths) {
    const value = valueAt(record, path)
    if (!isNothing(value)) return value
  }
  return undefined
}

/** The first non-empty value; null where all carried ones are empty, undefined where none is carried. */
export function wordsAt(record: unknown, ...paths: string[]): unknown {
  const found = firstOf(record, ...paths)
  if (found !== undefined) return found
  return paths.some((path) => valueAt(record, path) !== undefined) ? null : undefined
}

/** Hashtags of a record's list. With an empty list they come from the text, and are absent where the text has none. */
export function listedTags(listed: unknown, text: unknown, name: string): unknown {
  if (listed === undefined) return undefined
  if (!Array.isArray(listed)) return unreadable
  // Entries without a name are mentions.
  const tags = listed
    .map((tag) => (typeof tag === 'object' ? firstOf(tag, name) : tag))
    .filter((tag) => tag !== undefined)
  if (tags.some((tag) => typeof tag !== 'string')) return unreadable
  return tags.length === 0 && typeof text === 'string' && hashtagsIn(text).length > 0 ? undefined : tags
}

/** Whether a boolean of a record is true, in any notation. */
export const isOn = (value: unknown): boolean => value === true || /^(?:true|1|yes)$/i.test(idOf(value))

/** Counts are numbers or digits; anything else is left for validation, which refuses it by name. */
export function countOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : (value ?? undefined)
}

/** The objects of a list, each as `read` reads it; empty where none is carried. */
export function listOf(value: unknown, read: (entry: unknown) => unknown): unknown[] {
  if (value === undefined) return []
  return Array.isArray(value)
    ? value.map((entry) => (typeof entry === 'object' ? read(entry) : unreadable))
    : [unreadable]
}

/** Looks a word or number up in a table. */
export function wordIn<Value>(table: ReadonlyMap<string, Value>, word: unknown) {
  return word === undefined ? undefined : (table.get(idOf(word)) ?? unreadable)
}

/** An id as text, however it was written. */
export const idOf = (value: unknown): string =>
  value === undefined || value === null ? '' : shown(value).trim()

export const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]\S*$/i.test(text) && URL.canParse(text)

/** A collector's address; undefined where it is empty. */
export function addressIn(value: unknown): string | Unreadable | undefined {
  if (isNothing(value)) return undefined
  const text = typeof value === 'string' ? value.trim() : ''
  return isAddress(text) && text.length <= 4000 ? text : unreadable
}

export const withoutEntities = (text: unknown): unknown =>
  typeof text === 'string' && text.includes('&') ? decodeHTMLStrict(text) : text

/** A size, rounded for pixels; undefined for zero, which collectors write for unknown. */
const lengthOf = (value: unknown, round: (length: number) => number) => {
  if (isNothing(value)) return undefined
  const length = typeof value === 'string' || typeof value === 'number' ? round(Number(value)) : Number.NaN
  return length === 0 ? undefined : length > 0 && length <= Number.MAX_SAFE_INTEGER ? length : unreadable
}

/** Pixels. */
export const sizeOf = (value: unknown) => lengthOf(value, Math.round)

/** A duration in seconds. @param parts units of the value per second */
export const secondsOf = (value: unknown, parts = 1) => lengthOf(value, (length) => length / parts)

/** Fields of the author, by their names in our own shape. */
const fieldsOfAuthor: ReadonlyMap<string, keyof PostFields> = new Map(
  postFieldsOf.author.map((field) => [postOwnFormatName(field), field]),
)

/**
 * The readable part of a draft, and its unreadable fields. Media with unreadable addresses still determine the kind of post.
 */
export function readableOf(draft: PostDraft): { readable: PostDraft; unreadable: (keyof PostFields)[] } {
  const media = Array.isArray(draft.media) ? draft.media.map(partsOf) : draft.media
  const author = partsOf(draft.author)
  const { unreadable: names = [], ...fields } = carried({ ...draft, author, media })
  const namesOfAuthor = (author as Parts | undefined)?.unreadable ?? []
  const isWithoutAddress = (medium: unknown) => (medium as Parts | undefined)?.unreadable?.includes('url')
  return {
    readable: fields,
    unreadable: [
      ...(names as (keyof PostFields)[]),
      // The kind of a post is derived from its media where it is not stated.
      ...(names.includes('media') && draft.mediaType === undefined ? (['mediaType'] as const) : []),
      ...namesOfAuthor.flatMap((name) => fieldsOfAuthor.get(name) ?? []),
      ...(Array.isArray(media) && media.some(isWithoutAddress) ? (['media'] as const) : []),
    ],
  }
}

interface Parts {
  unreadable?: string[]
}

const partsOf = (value: unknown) => (typeof value === 'object' && value !== null ? carried(value) : value)
