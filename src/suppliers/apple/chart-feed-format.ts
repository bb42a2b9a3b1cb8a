import { objectsIn, type PayloadFormat } from '../../ingest/format.ts'
import type { Rejection } from '../../ingest/parsed-payload.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { type FeedEntry, isChartFeed, readChartFeed } from './chart-feeds.ts'

/** A chart from one of Apple's feeds. A feed names its chart; one that was not requested is rejected. */
export const chartFeedFormat: PayloadFormat = {
  isMappable: false,
  recognise({ records }) {
    const isFeed = objectsIn(records).some((one) => 'feed' in one && isChartFeed(one))
    return isFeed ? { kind: 'charts', of: 'a chart feed of Apple' } : undefined
  },
  parse(payload, { chart: asked }) {
    const feed = readChartFeed(payload.document())
    if ('reason' in feed) throw new UnfitPayload(feed.reason)
    const { source, identity, requested, updatedAt, entries } = feed
    if (asked && named(asked) !== named(identity))
      throw new UnfitPayload(`answers the chart ${named(identity)} for ${named(asked)}`)
    if (!isStorefront(identity.country))
      throw new UnfitPayload(`"${identity.country}" is not an App Store country`)
    const { rejected, storeIds } = placesOf(entries)
    const sightings = entries.flatMap((entry) => ('sighting' in entry ? [entry.sighting] : []))
    return {
      source,
      ...(updatedAt ? { madeAt: new Date(updatedAt) } : {}),
      sightings: [],
      charts: [{ ...identity, requested, storeIds, sightings }],
      rejected,
      records: entries.length,
    }
  },
}

const named = ({ country, kind, categoryId, device }: ChartIdentity) =>
  `${country} ${kind} ${categoryId} ${device}`

function placesOf(entries: readonly FeedEntry[]): { storeIds: (string | null)[]; rejected: Rejection[] } {
  const rejected: Rejection[] = []
  const seen = new Set<string>()
  const storeIds = entries.map((entry, index) => {
    const position = `entry ${index + 1}`
    if ('reason' in entry) rejected.push({ position, reason: entry.reason, record: entry.record })
    else if (seen.has(entry.sighting.storeId))
      rejected.push({ position, reason: `app ${entry.sighting.storeId} stands in the chart twice` })
    else {
      seen.add(entry.sighting.storeId)
      return entry.sighting.storeId
    }
    return null
  })
  return { storeIds, rejected }
}
