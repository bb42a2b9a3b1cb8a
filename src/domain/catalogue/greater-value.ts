import type { ListingField } from '../../vocabulary/listing-fields.ts'
import type { Stated } from '../facts/merge.ts'
import { canonicalJson } from '../idempotency/canonical.ts'
import { historyText, isTracked, type Listing } from './listing.ts'
import { greaterValue } from './listing-versions.ts'

/** Fields that mean something only together: where one of them wins, the other does. */
const reported: Partial<Record<ListingField, (listing: Stated<Listing>) => (string | null)[]>> = {
  currency: (listing) => [historyText(listing, 'price')],
  categoryIds: (listing) => [historyText(listing, 'primaryCategoryId')],
  rating: ({ ratingCount, rating }) => [digits(ratingCount), digits(rating)],
  ratingCount: ({ ratingCount, rating }) => [digits(ratingCount), digits(rating)],
  ratingCurrentVersion: (listing) => [digits(listing.ratingCountCurrentVersion)],
  ratingCountCurrentVersion: (listing) => [digits(listing.ratingCountCurrentVersion)],
}

/** Numbers as text in the order of the numbers. */
const digits = (value: number | null | undefined) =>
  typeof value === 'number' ? value.toFixed(4).padStart(24, '0') : null

/**
 * Which of two observations of one instant shows the greater value of a field: above zero for the first, below for the
 * second, zero where they show the same.
 */
export function whichIsGreater(field: ListingField, one: Stated<Listing>, other: Stated<Listing>): number {
  const [mine, theirs] = [one, other].map((listing) => [
    ...(reported[field]?.(listing) ?? []),
    ...(isTracked(field) ? [historyText(listing, field)] : []),
    listing[field] === null || listing[field] === undefined ? null : canonicalJson(listing[field]),
  ])
  for (const [index, value] of (mine ?? []).entries()) {
    const order = greaterValue(value, theirs?.[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}
