import { useQueries } from '@tanstack/react-query'
import type { ReplyOf } from '../../api/operations.ts'
import { readTogether } from '../../api/read-together.ts'
import type { Mark } from '../../charts/line-chart.ts'
import { dayText, isolateDirection } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'

interface Window {
  country: Country
  /** First and last day, `YYYY-MM-DD`. */
  from: string
  to: string
}

/** The days on which listings of apps were seen to change; those of others are marked with their names. Empty until they are read. */
export function useListingMarks(
  apps: readonly { app: { storeId: string; name: string | null }; isOther?: boolean }[],
  { country, from, to }: Window,
): Mark[] {
  const records = useQueries({
    queries: apps.map(({ app: { storeId } }) =>
      readTogether('get_competitor', { platform: 'ios', storeId, country }),
    ),
  })
  return records.flatMap(({ data }, index) => {
    const { app, isOther = false } = apps[index] ?? {}
    const whose = isOther && app ? isolateDirection(app.name ?? `App ${app.storeId}`) : undefined
    return data ? listingMarks(data.listingHistory, from, to, whose) : []
  })
}

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
 * Days on which another text, price or picture was seen first. Values of the first observation are no changes.
 * @param whose begins the text of a mark: the name of another app
 */
export function listingMarks(
  history: readonly ListingVersion[],
  from: string,
  to: string,
  whose?: string,
): Mark[] {
  return history.flatMap(({ field, value, firstSeenAt }) => {
    const name = fieldInWords[field]
    const day = firstSeenAt.slice(0, 10)
    const isChange = history.some((other) => other.field === field && other.firstSeenAt < firstSeenAt)
    if (!name || !isChange || day < from || day > to) return []
    const text =
      ['name', 'subtitle', 'version'].includes(field) && value ? `${name}: ${value}` : `${name} changed`
    return [
      {
        day,
        text: `${whose ? `${whose}, ` : ''}${text} (first seen ${dayText(day)})`,
        ...(whose ? { isOther: true } : {}),
      },
    ]
  })
}
