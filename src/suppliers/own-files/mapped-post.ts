import { holdsSeveral, mappedValues, nameSeparator } from '../../ingest/mapping/mapped-values.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import { onlyTextOf } from '../../ingest/mapping/written-forms.ts'
import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import { countOf, type PostDraft } from '../../ingest/posts/post-draft.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { isBlank } from '../../text/blank-text.ts'
import {
  mapMetrics,
  metrics,
  type PostField,
  postFieldRow,
  postFieldsOf,
  postOwnFormatName,
} from '../../vocabulary/post-fields.ts'

/**
 * A row in our own format, by a mapping. An empty mapped column is absent; an empty count is unknown.
 * @param held values that hold for every row
 * @throws UnfitPayload
 */
export function mappedPost(record: unknown, context: ReadingContext, held: Record<string, string>): PostDraft {
  const values = mappedValues('organic', record, context.fields ?? {}, context, held)
  const text = (field: string): string | null | undefined => {
    const value = values.get(field)
    return value === undefined || value === null || value === '' ? value : onlyTextOf(field, value)
  }
  const number = (field: string) => (isEmpty(values.get(field)) ? undefined : countOf(values.get(field)))
  const moment = (field: string) => (values.has(field) && isEmpty(values.get(field)) ? null : values.get(field))
  const list = (field: string, separator: RegExp) =>
    isEmpty(values.get(field)) ? undefined : partsOf(values.get(field), separator)
  const mapped = (field: PostField): unknown => {
    switch (postFieldRow(field).kind) {
      case 'count':
        return number(field)
      case 'tags':
        return list(field, /[\s,;|]+/)
      case 'addresses':
        return list(field, /\s+/)
      case 'time':
        return moment(field)
      case 'mediaType':
        return isEmpty(values.get(field)) ? undefined : text(field)?.trim().toLowerCase()
      default:
        return text(field)
    }
  }
  const part = (fields: readonly PostField[]) =>
    Object.fromEntries(fields.map((field) => [postOwnFormatName(field), mapped(field)]))
  const media = mediaOf(values)
  return {
    ...(values.has('postId') ? { postId: text('postId') } : {}),
    ...(values.has('network') ? { network: text('network')?.trim().toLowerCase() } : {}),
    ...(values.has('id') ? { id: text('id')?.trim() } : {}),
    url: text('url'),
    author: { handle: text('author'), ...part(postFieldsOf.author) },
    ...part(postFieldsOf.post),
    ...(media.length > 0 ? { media } : {}),
    metrics: {
      ...mapMetrics(number),
      hidden: metrics.filter((metric) => isSaidOn(values, `${metric}Hidden`)),
    },
    observedAt: moment('observedAt'),
  }
}

function mediaOf(values: ReadonlyMap<string, unknown>) {
  const duration = values.get('durationSeconds')
  const addresses = (field: string) => {
    const parts = isEmpty(values.get(field)) ? [] : partsOf(values.get(field), /\s+/)
    const several = parts.find(holdsSeveral)
    if (several !== undefined)
      throw new UnfitPayload(
        `${field}: "${several.slice(0, 100)}" holds several addresses; ${nameSeparator(field)}`,
      )
    return parts
  }
  return [
    ...addresses('videoUrl').map((url) => ({
      kind: 'video',
      url,
      ...(isEmpty(duration) ? {} : { durationSeconds: Number(shown(duration)) }),
    })),
    ...addresses('imageUrls').map((url) => ({ kind: 'image', url })),
    ...addresses('thumbnailUrl').map((url) => ({ kind: 'thumbnail', url })),
  ]
}

/** @throws UnfitPayload for a text that is no boolean */
function isSaidOn(values: ReadonlyMap<string, unknown>, field: string): boolean {
  const said = shown(values.get(field) ?? '')
    .trim()
    .toLowerCase()
  if (['true', 'yes', '1', 't', 'y'].includes(said)) return true
  if (said === '' || ['false', 'no', '0', 'f', 'n'].includes(said)) return false
  throw new UnfitPayload(`${field}: "${said.slice(0, 100)}" says neither yes nor no`)
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && isBlank(value))

function partsOf(value: unknown, separator: RegExp): string[] {
  const parts = Array.isArray(value) ? value.map(shown) : shown(value).split(separator)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
