import { decodeHTMLStrict } from 'entities/decode'
import { isBlank } from '../../text/blank-text.ts'
import { hashtagsIn } from '../../text/hashtags.ts'
import { shown, valueAt } from '../mapping/mapping.ts'
import { isAddress } from '../own/own-post.ts'
import type { OwnPost } from '../own/own-post-shape.ts'

/** A foreign record in our shape, unchecked: the parser of our shape validates it. */
export type PostDraft = { [Field in keyof OwnPost]?: unknown }

/** Context of a list of posts: the profile they were taken from. */
export interface Around {
  author?: { handle?: unknown; name?: unknown; bio?: unknown; followers?: unknown; links?: unknown }
}

/** How one form of record is recognised and parsed. */
export interface PostForm {
  /** Whether a record has this form; a form asks for fields that no other has. */
  is(record: object): boolean
  /** The record in our shape, or why it is refused. */
  read(record: object, around: Around): PostDraft | string
}

/** The first non-empty value of these dotted paths. */
export function firstOf(record: unknown, ...paths: string[]): unknown {
  for (const path of paths) {
    const value = valueAt(record, path)
    if (value !== undefined && value !== null && !(typeof value === 'string' && isBlank(value))) return value
  }
  return undefined
}

/** The first of these that shows something; null where they are carried and none does, undefined where none is carried. */
export function wordsAt(record: unknown, ...paths: string[]): unknown {
  const found = firstOf(record, ...paths)
  if (found !== undefined) return found
  return paths.some((path) => valueAt(record, path) !== undefined) ? null : undefined
}

/** Hashtags of a record's list. With an empty list they come from the text, and are absent where the text has none. */
export function listedTags(listed: unknown, text: unknown, name: string): unknown {
  if (!Array.isArray(listed)) return undefined
  const tags = listed
    .map((tag) => (typeof tag === 'string' ? tag : firstOf(tag, name)))
    .filter((tag) => typeof tag === 'string')
  return tags.length === 0 && typeof text === 'string' && hashtagsIn(text).length > 0 ? undefined : tags
}

/** Whether a switch of a record is on, however it is written. */
export const isOn = (value: unknown): boolean => value === true || /^(?:true|1|yes)$/i.test(idOf(value))

/** Counts come as numbers or as digits; anything else is left for the check to refuse by its name. */
export function countOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : (value ?? undefined)
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** An id as text, however it was written. */
export const idOf = (value: unknown): string =>
  value === undefined || value === null ? '' : shown(value).trim()

/** A collector's address where it is one: an expired or empty one is no reason to refuse a post. */
export function addressIn(value: unknown): string | undefined {
  const text = textOf(value)?.trim() ?? ''
  return isAddress(text) && text.length <= 4000 ? text : undefined
}

export const withoutEntities = (text: unknown): unknown =>
  typeof text === 'string' && text.includes('&') ? decodeHTMLStrict(text) : text

/** A positive integer, else undefined: a wrong size of a medium is no reason to reject a post. */
export function sizeOf(value: unknown): number | undefined {
  const size = typeof value === 'string' || typeof value === 'number' ? Math.round(Number(value)) : 0
  return Number.isSafeInteger(size) && size > 0 ? size : undefined
}

/** Seconds, where it is a length at all. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
