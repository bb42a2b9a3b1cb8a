import type { PostSighting } from '../domain/organic/post.ts'
import type { PayloadFormat } from '../ingest/format.ts'
import { numberFields } from '../ingest/mapping/mappable-fields.ts'
import { aroundOf, nameForm, nameNumberForm, unlessUnreadable } from '../ingest/mapping/mapped-values.ts'
import type { ParsedPayload, ReadingContext, Rejection } from '../ingest/parsed-payload.ts'
import { OwnPost } from '../ingest/posts/own-post-shape.ts'
import { type PostDraft, type PostForm, readableOf } from '../ingest/posts/post-draft.ts'
import type { RawPayload } from '../ingest/raw-payload.ts'
import { nestedRow, rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { namesShown, unreadableIn } from '../ingest/unreadable.ts'
import { networkRow, networks, postForms as postFormLabels } from '../vocabulary/networks.ts'
import { supplierRow } from '../vocabulary/suppliers.ts'
import { isExportedRow, tableNote } from './own-files/exported-table.ts'
import { mappedPost } from './own-files/mapped-post.ts'
import { readOwnPost } from './own-files/own-post.ts'
import { type FoundPost, type PostPreset, postsIn, presets } from './post-forms.ts'

/**
 * Organic posts: of our own shape, of the forms of known collectors, each record by its own form, or by a mapping. A payload
 * without any recognised post is unfit.
 */
export const postsFormat: PayloadFormat = {
  isMappable: true,
  recognise({ layout, document, records }) {
    const rows = layout === 'csv' ? records.map((row) => (isExportedRow(row) ? row : nestedRow(row))) : records
    const found =
      layout === 'document'
        ? postsIn(document, '', undefined)
        : rows.flatMap((row) => postsIn(row, 'record', undefined))
    const known = new Set(found.flatMap(({ form }) => (form ? (presetOf(form) ?? []) : [])))
    return known.size > 0
      ? { kind: 'organic', of: `posts of ${[...known].map(labelOf).join(' and ')}` }
      : undefined
  },
  parse: (payload, context, from) =>
    context.fields ? parseMapped(payload, context, from) : parseKnown(payload, context, from),
}

/** The preset of a form; undefined for what is known to be no post, such as an error that was answered. */
const presetOf = (form: PostForm): string | undefined =>
  Object.entries(presets).find(([, forms]) => forms.includes(form))?.[0]

const labelOf = (preset: string): string =>
  postFormLabels.find(([name]) => name === preset)?.[1] ?? 'our own form'

function parseMapped(payload: RawPayload, context: ReadingContext, from: number): ParsedPayload {
  const held = { ...context.fallbacks, ...aroundOf(payload, context), ...context.constants }
  const { rows, rejected } = rowsOf(payload, context, from)
  return postsPayload(
    rows.map(({ position, record }) => {
      const post = unlessUnreadable(() => readOwnPost(mappedPost(record, context, held)))
      return typeof post === 'string' ? { position, reason: withForm(post), record } : post
    }),
    rejected,
  )
}

function withForm(reason: string): string {
  const [, field, value] = /^(\w+): "(.*)" is no time that can be$/s.exec(reason) ?? []
  if (field) return `${reason}${nameForm(field, value)}`
  const [, count, written] = /^(?:metrics|author)\.(\w+): .* \("(.*)"\)$/s.exec(reason) ?? []
  return count && numberFields.organic.includes(count) ? `${reason}${nameNumberForm(count, written)}` : reason
}

const networksRead = networks.filter((network) => networkRow(network).forms)
const unknownForm = `no form of post that is known: ${networksRead.map((network) => supplierRow(network).label).join(', ')}, or our own; other tables and lists need a mapping: pass --map FILE`

/** @param record of which the reason names the fields, so that a renamed one is seen */
function whyUnknown(preset: PostPreset | undefined, record: unknown): string {
  const reason = preset ? `no record of the form "${preset}"` : unknownForm
  const names =
    typeof record === 'object' && record !== null && !Array.isArray(record) ? Object.keys(record) : []
  return names.length > 0 ? `${reason}; it has ${namesShown(names, 12)}` : reason
}

function parseKnown(payload: RawPayload, context: ReadingContext, from: number): ParsedPayload {
  const preset = isPreset(context.preset) ? context.preset : undefined
  if (context.layout === 'document') {
    const found = postsIn(payload.document(), '', preset)
    if (found.length > 0 && found.every(({ form }) => !form))
      throw new UnfitPayload(whyUnknown(preset, found[0]?.record))
    return postsPayload(
      found.map((one) => readFound(one, preset)),
      [],
    )
  }
  const { rows, rejected } = rowsOf(payload, context, from)
  const isCsv = context.layout === 'csv'
  const found = rows.flatMap(({ position, record }) =>
    postsIn(isCsv && !isExportedRow(record) ? nestedRow(record) : record, position, preset),
  )
  if (isCsv && found.length > 0 && found.every(({ form }) => !form))
    throw new UnfitPayload(whyUnknown(preset, rows[0]?.record))
  const parsed = postsPayload(
    found.map((one) => readFound(one, preset)),
    rejected,
  )
  const isTable = isCsv && rows.some(({ record }) => isExportedRow(record))
  return isTable ? { ...parsed, notes: [tableNote] } : parsed
}

function isPreset(name: string | undefined): name is PostPreset {
  return name !== undefined && Object.hasOwn(presets, name)
}

function readFound(
  { position, record, around, form }: FoundPost,
  preset: PostPreset | undefined,
): PostSighting | Rejection {
  if (!form) return { position, reason: whyUnknown(preset, record), record }
  if (typeof record !== 'object' || record === null)
    return { position, reason: 'not a post: no object', record }
  const read = form.read(record, around)
  const draft =
    typeof read === 'string' || read.observedAt !== undefined || around.observedAt === undefined
      ? read
      : { ...read, observedAt: around.observedAt }
  const post = typeof draft === 'string' ? draft : postOf(draft, record)
  return typeof post === 'string' ? { position, reason: post, record } : post
}

function postOf(draft: PostDraft, record: object): PostSighting | string {
  if (draft === record) return whyShell(draft, record, true) ?? readOwnPost(draft)
  const { readable, unreadable } = readableOf(draft)
  const post = whyShell(readable, record, false) ?? readOwnPost(readable)
  if (typeof post === 'string' || unreadable.length === 0) return post
  // A derived value does not replace a stated one. A post always has an address.
  for (const field of unreadable) if (field !== 'url') delete post.stated[field]
  return { ...post, unreadable }
}

/** The fields that carry content; the others only identify the post or its source. */
const parts = ['author', 'title', 'text', 'linkUrl', 'publishedAt', 'media', 'metrics'] as const
const naming = new Set(['postId', 'network', 'id', 'url', 'observedAt'])

/**
 * Why a record is rejected although its form is known: it has content, but none in a field that is read. A record in our own shape
 * that only identifies a post is valid: it says that the post was seen.
 */
function whyShell(draft: PostDraft, record: object, isOwn: boolean): string | undefined {
  const others = Object.keys(record).filter((field) => !naming.has(field))
  const isRead = isOwn
    ? others.length === 0 || others.some((field) => field in OwnPost.shape)
    : parts.some((part) => saysSomething(draft[part]))
  return isRead
    ? undefined
    : `nothing of a post is read: no ${parts.join(', ')}; the record has ${namesShown(Object.keys(record), 12)}`
}

/** Whether any part of a draft's author, medium or figures is carried. */
function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(saysSomething)
  if (typeof value !== 'object' || value === null) return value !== undefined
  return Object.entries(value).some(([name, part]) =>
    name === 'hidden'
      ? Array.isArray(part) && part.length > 0
      : !['kind', 'unreadable'].includes(name) && part != null,
  )
}

function postsPayload(
  read: readonly (PostSighting | Rejection)[],
  unread: readonly Rejection[],
): ParsedPayload {
  const posts = read.filter((one) => 'network' in one)
  const refused = read.filter((one) => 'reason' in one)
  const newest = newestObservation(posts)
  return {
    source: 'organic-file',
    ...(newest ? { madeAt: newest } : {}),
    sightings: [],
    charts: [],
    posts,
    rejected: [...unread, ...refused],
    ...unreadableIn(posts),
    records: read.length + unread.length,
  }
}

function newestObservation(posts: readonly PostSighting[]): Date | undefined {
  return posts.reduce<Date | undefined>(
    (newest, { observedAt }) => (observedAt && (!newest || observedAt > newest) ? observedAt : newest),
    undefined,
  )
}
