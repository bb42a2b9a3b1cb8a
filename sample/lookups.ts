import type { SampleApp } from './app.ts'
import { dayText, firstDay, lastDay, type Span, timeText } from './calendar.ts'
import { type SampleCountry, type SampleDocument, sampleCountries } from './document.ts'
import { itunesAnswer, itunesRecord } from './itunes-record.ts'
import { listingOn } from './listing.ts'

/** The most ids Apple takes in one call. */
const batch = 200

/** Days before the last on which the whole catalogue was looked up. */
const daysBack = [60, 30, 14, 3, 0]

/** Lookup answers for every app of every storefront on a few days, oldest first. Apps not sold there are left out. */
export function* sampleLookups(
  apps: readonly SampleApp[],
  span: Span,
  countries: readonly SampleCountry[] = sampleCountries,
): Generator<SampleDocument> {
  const last = lastDay(span)
  const days = [firstDay(span), ...daysBack.map((back) => last - back)]
  for (const day of [...new Set(days)].filter((each) => each >= firstDay(span))) {
    for (const country of countries) {
      for (let from = 0; from < apps.length; from += batch) {
        const results = apps.slice(from, from + batch).flatMap((app) => {
          const listing = listingOn(app, country, day)
          return listing ? [itunesRecord(app, country, listing)] : []
        })
        const part = 1 + from / batch
        yield {
          kind: 'catalogue',
          format: 'itunes-lookup',
          fileName: `lookup-${country}-${dayText(day)}-${part}.json`,
          country,
          observedAt: timeText(day, 4 * 3600 + sampleCountries.indexOf(country) * 600 + part * 7),
          content: itunesAnswer(results),
        }
      }
    }
  }
}
