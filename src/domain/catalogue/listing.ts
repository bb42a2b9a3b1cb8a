import {
  type AppEvent,
  type Compatibility,
  type InAppPurchase,
  type ListingField,
  type ListingFieldTypes,
  listingFields,
  type TrackedField,
  trackedFields,
} from '../../vocabulary/listing-fields.ts'
import type { Stated } from '../facts/merge.ts'

/** The fields of a store listing. Null means that the source carries the field and had no value. */
export type Listing = {
  [Field in ListingField]: ListingFieldTypes[(typeof listingFields)[Field]['kind']] | null
} & { name: string }

/** One app as one source showed it: only the fields that source carries. */
export interface AppSighting {
  /** Digits. */
  storeId: string
  listing: Partial<Listing> & Pick<Listing, 'name'>
  /** Values that fill a gap, but do not replace those of a better source. */
  hints?: Partial<Listing>
  /** Fields that the source carried and that cannot be read. */
  unreadable?: readonly ListingField[]
}

/** The bit of each tracked field in the stored masks that tell what a sighting showed. */
export const fieldBits = Object.fromEntries(
  trackedFields.map((field) => [field, 1 << listingFields[field].bit]),
) as Record<TrackedField, number>

export const isTrackedField = (field: string): field is TrackedField => field in fieldBits

/**
 * The value of a tracked field as its history keeps it: text, what is a list one a line, null when empty. Apple serves a
 * picture from several hosts by turns, so addresses are kept with the first of them.
 */
export function historyText(listing: Stated<Listing>, field: TrackedField): string | null {
  const value = listing[field]
  if (value === null || value === undefined) return null
  if (field === 'price') return `${value} ${listing.currency ?? ''}`.trim()
  const lines = Array.isArray(value) ? value.map(lineOf) : [String(value)]
  if (lines.length === 0) return null
  return (pictureFields.has(field) ? lines.map(fromFirstHost) : lines).join('\n')
}

function lineOf(item: string | InAppPurchase | Compatibility | AppEvent): string {
  if (typeof item === 'string') return item
  if ('eventId' in item) return eventLine(item)
  return 'price' in item ? `${item.name}: ${item.price}` : `${item.device}: ${item.requirement}`
}

const fromFirstHost = (address: string) =>
  address.replace(/^(https?:\/\/is)\d+((?:-ssl)?\.mzstatic\.com\/)/, '$11$2')

const noEnd = 'no stated end'

/** An event as a line of histories: its parts, with tabs between, which none of its texts holds. */
function eventLine(event: AppEvent): string {
  const { eventId, name, kind, startsAt, endsAt, shortDescription, description, imageUrl, videoUrl } = event
  const addresses = [imageUrl, videoUrl].map((one) => one && fromFirstHost(one))
  const parts = [
    name,
    kind,
    `${startsAt} to ${endsAt ?? noEnd}`,
    shortDescription,
    description,
    ...addresses,
    eventId,
  ]
  return parts.map((part) => part ?? '').join('\t')
}

/** The events of a history's text. */
export function eventsInHistory(text: string | null): AppEvent[] {
  return (text?.split('\n') ?? []).map((line) => {
    const [name = '', kind = '', dates = '', ...rest] = line.split('\t')
    const [startsAt = '', end] = dates.split(' to ')
    const [shortDescription = null, description = null, imageUrl = null, videoUrl = null] = rest.map(
      (part) => part || null,
    )
    return {
      eventId: rest[4] ?? '',
      name,
      kind,
      startsAt,
      endsAt: end === undefined || end === noEnd ? null : end,
      shortDescription,
      description,
      imageUrl,
      videoUrl,
    }
  })
}

/** Fields whose values are addresses of pictures or videos. */
export const pictureFields: ReadonlySet<TrackedField> = new Set(
  trackedFields.filter((field) => ['address', 'addresses'].includes(listingFields[field].kind)),
)
