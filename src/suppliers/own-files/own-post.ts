import type { z } from 'zod'
import type { StatedMedium } from '../../domain/creatives/media.ts'
import type { Stated } from '../../domain/facts/merge.ts'
import type { PostFields, PostMetrics, PostSighting } from '../../domain/organic/post.ts'
import { momentOf } from '../../ingest/posts/moments.ts'
import { type Medium, OwnPost } from '../../ingest/posts/own-post-shape.ts'
import { isAddress } from '../../ingest/posts/post-draft.ts'
import { isBlank } from '../../text/blank-text.ts'
import { hashtagsIn } from '../../text/hashtags.ts'
import { isLanguageTag } from '../../text/language-tag.ts'
import { type Network, networkRow, networks } from '../../vocabulary/networks.ts'
import {
  metrics,
  type PostField,
  type PostFieldKind,
  type PostMediaType,
  postFields,
  postFieldsOf,
  postOwnFormatName,
} from '../../vocabulary/post-fields.ts'

const longestTag = 100

/** The post as an observation, or why it is rejected. */
export function readOwnPost(record: unknown): PostSighting | string {
  const parsed = OwnPost.safeParse(record)
  if (!parsed.success) return whyNot(parsed.error, record)
  const post = parsed.data
  const named = nameOf(post)
  if (typeof named === 'string') return named
  const { network, nativeId } = named
  try {
    const observedAt = post.observedAt == null ? undefined : observedOf(post.observedAt)
    return {
      network,
      nativeId,
      ...(observedAt ? { observedAt } : {}),
      stated: statedOf(post, network, nativeId),
      ...(post.unreadable ? { unreadable: post.unreadable } : {}),
      metrics: countsOf(post.metrics ?? {}),
    }
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** A rejected record, with the field and the value that caused it. */
class Refusal extends Error {}

type Read = z.output<typeof OwnPost>

const postName = new RegExp(`^(${networks.join('|')})_(.+)$`, 's')

function nameOf({ postId, network, id }: Read): { network: Network; nativeId: string } | string {
  const [, prefix, rest] = postName.exec(postId ?? '') ?? []
  if (postId !== undefined && rest === undefined)
    return `postId: "${shortly(postId)}" is not <network>_<native id>`
  const known = network ?? (prefix as Network | undefined)
  if (!known) return 'no network'
  if (prefix !== undefined && prefix !== known) return `postId: "${shortly(postId ?? '')}" is not of ${known}`
  const nativeId = rest ?? (id === undefined ? '' : String(id))
  if (nativeId === '') return 'no id'
  return networkRow(known).nativeId.test(nativeId)
    ? { network: known, nativeId }
    : `id: "${shortly(nativeId)}" is not an id of ${known}`
}

function statedOf(post: Read, network: Network, nativeId: string): Stated<PostFields> {
  const { author, title, text, media } = post
  const handle = author === null ? null : author?.handle === undefined ? undefined : handleOf(author.handle)
  const words = [title, text].filter((part) => typeof part === 'string' && !isBlank(part)).join('\n')
  const { hasHashtags = true } = networkRow(network)
  const read = words !== '' && hasHashtags ? hashtagsIn(words) : undefined
  const stated = valuesIn(postFieldsOf.post, post)
  const fields = {
    url: addressOf('url', post.url) ?? addressOfPost(network, nativeId, handle ?? null),
    author: handle,
    ...valuesIn(postFieldsOf.author, author, 'author.'),
    ...stated,
    ...(post.hashtags ? {} : { hashtags: read }),
    ...(post.mediaType ? {} : { mediaType: media ? typeOf(media, stated.linkUrl) : undefined }),
    media: media ? media.map(mediumOf) : undefined,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const wordsOf = (value: string) => (isBlank(value) ? null : value)

/** How a value that is not empty is read, by what its field holds. @throws Refusal */
const readers: { readonly [Kind in PostFieldKind]: (value: never, name: string) => unknown } = {
  line: wordsOf,
  text: wordsOf,
  address: (address: string, name) => addressOf(name, address),
  addresses: (links: string[], name) =>
    links.map((link) => addressOf(name, link)).filter((link) => link !== null),
  count: (count: number) => count,
  language: languageOf,
  tags: tagsOf,
  time: publishedOf,
  mediaType: (type: PostMediaType) => type,
}

/** @param before the path of the fields in a record, as reasons name it. @throws Refusal */
const valuesIn = (
  fields: readonly PostField[],
  record: Readonly<Record<string, unknown>> | null | undefined,
  before = '',
) =>
  Object.fromEntries(
    fields.map((field) => {
      const name = postOwnFormatName(field)
      const value = record?.[name]
      const { kind } = postFields[field]
      return [field, value == null ? emptyOf(kind, value) : readers[kind](value as never, `${before}${name}`)]
    }),
  )

/** Lists that are null say nothing. */
const emptyOf = (kind: PostFieldKind, value: null | undefined) =>
  kind === 'addresses' || kind === 'tags' ? undefined : value

function handleOf(value: string | null): string | null {
  const handle = (value ?? '').trim().replace(/^@/, '')
  if (isBlank(handle)) return null
  if (handle.length > 100 || /[\s@/]/.test(handle))
    throw new Refusal(`author.handle: "${shortly(handle)}" is not a handle`)
  return handle
}

function addressOf(field: string, value: string | null | undefined): string | null | undefined {
  if (value === null || value === undefined) return value
  const address = value.trim()
  if (isBlank(address)) return null
  if (!isAddress(address)) throw new Refusal(`${field}: "${shortly(address)}" is not a whole http(s) address`)
  return address
}

/** The subset of BCP 47 that networks use; their codes for "undetermined", and X's for art, are no language. */
function languageOf(value: string): string | null {
  const tag = value.trim().replaceAll('_', '-')
  if (isBlank(tag) || /^(?:un|und|zxx|none|qme|qst|qht|qam|qct|art)$/i.test(tag)) return null
  if (!isLanguageTag(tag))
    throw new Refusal(`language: "${shortly(tag)}" is no language code such as en or pt-BR`)
  return tag
}

function tagsOf(tags: readonly string[]): string[] {
  const cleaned = tags.map((tag) =>
    tag
      .trim()
      .replace(/^[#＃]+/, '')
      .toLowerCase(),
  )
  return [...new Set(cleaned.filter((tag) => !isBlank(tag) && tag.length <= longestTag))]
}

function timeOf(field: string, value: string | number): Date {
  const at = momentOf(value)
  if (!at) throw new Refusal(`${field}: "${shortly(String(value))}" is no time that can be`)
  return at
}

/** Tolerance for wrong clocks; a time further ahead would be the newest for ever. */
const oneDay = 86_400_000

function observedOf(value: string | number): Date {
  const at = timeOf('observedAt', value)
  if (at.getTime() > Date.now() + oneDay)
    throw new Refusal(`observedAt: ${at.toISOString()} lies in the future`)
  return at
}

/** No supported network is older. */
const firstPosts = new Date('2005-01-01T00:00:00Z')

function publishedOf(value: string | number, name: string): string {
  const at = timeOf(name, value)
  if (at < firstPosts) throw new Refusal(`${name}: ${at.toISOString()} lies before the network began`)
  return at.toISOString()
}

/** Undefined where only a still picture is shown: it may be the cover of anything. */
function typeOf(media: readonly z.output<typeof Medium>[], linkUrl: unknown): PostMediaType | undefined {
  if (media.length === 0) return linkUrl ? 'link' : 'text'
  const [only, another] = media.flatMap(({ kind }) => (kind === 'thumbnail' ? [] : [kind]))
  return another ? 'carousel' : only
}

function mediumOf({
  kind,
  url,
  width,
  height,
  durationSeconds,
  captions,
  unreadable,
}: z.output<typeof Medium>): StatedMedium {
  return {
    kind,
    url: addressOf('media.url', url) ?? null,
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(typeof durationSeconds === 'number' && kind === 'video' ? { durationSeconds } : {}),
    ...(captions ? { captions: { language: captions.language ?? null, segments: captions.segments } } : {}),
    ...(unreadable ? { unreadable } : {}),
  }
}

/** A hidden count is not measured, whatever its number. */
function countsOf(reported: NonNullable<Read['metrics']>): PostMetrics {
  const hidden = metrics.filter((metric) => reported.hidden?.includes(metric))
  const counts = metrics.flatMap((metric) => {
    const count = reported[metric]
    return typeof count === 'number' && !hidden.includes(metric) ? [[metric, count]] : []
  })
  return { ...Object.fromEntries(counts), ...(hidden.length > 0 ? { hidden } : {}) }
}

/** The public address of the post. @throws Refusal where it cannot be derived */
function addressOfPost(network: Network, nativeId: string, handle: string | null): string {
  const { address, noAddress } = networkRow(network)
  if (noAddress?.test(nativeId))
    throw new Refusal('url: no address, and none follows from the number of a medium')
  return address.replace('{id}', nativeId).replace('{handle}', () => encodeURIComponent(handle ?? ''))
}

/** The first validation error, with the field and its value. */
function whyNot(error: z.ZodError, record: unknown): string {
  const [issue] = error.issues
  if (!issue || issue.path.length === 0) return 'not a post: no object'
  const value = issue.path.reduce<unknown>(
    (inside, part) =>
      typeof inside === 'object' && inside !== null
        ? (inside as Record<PropertyKey, unknown>)[part]
        : undefined,
    record,
  )
  const said = value === undefined ? '' : ` (${shortly(JSON.stringify(value) ?? '')})`
  return `${issue.path.join('.')}: ${issue.message}${said}`
}

const shortly = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
