import type { ReplyOf } from '../../api/operations.ts'
import type { Mark } from '../../charts/line-chart.ts'
import { dayText } from '../../evidence/format.ts'

type ListingVersion = ReplyOf<'get_competitor'>['listingHistory'][number]

const fieldInWords: Partial<Record<ListingVersion['field'], string>> = {
  name: 'Name',
  subtitle: 'Subtitle',
  version: 'Version',
  price: 'Price',
  icon: 'Icon',
  'primary-category': 'Category',
  'screenshots-iphone': 'Screenshots',
}

/**
 * Days on which another text, price or picture was seen first. What was there when the listing was looked at for the first
 * time is no change.
 */
export function listingMarks(history: readonly ListingVersion[], from: string, to: string): Mark[] {
  return history.flatMap(({ field, value, firstSeenAt }) => {
    const name = fieldInWords[field]
    const day = firstSeenAt.slice(0, 10)
    const isChange = history.some((other) => other.field === field && other.firstSeenAt < firstSeenAt)
    if (!name || !isChange || day < from || day > to) return []
    const text =
      ['name', 'subtitle', 'version'].includes(field) && value ? `${name}: ${value}` : `${name} changed`
    return [{ day, text: `${text} (first seen ${dayText(day)})` }]
  })
}
