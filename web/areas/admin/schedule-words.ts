import { storefrontCodes } from '../../../src/vocabulary/storefronts.ts'
import { count, countryName, countWithNoun } from '../../evidence/format.ts'
import { chartInWords, deviceInWords } from '../../evidence/words.ts'
import type { Schedule } from './operating.ts'

/** A part of the schedule in words: what, of which storefronts, how often. */
export interface ScheduledPart {
  name: string
  of: string
  every: string
}

/** `every hour`, `every 6 hours`, `every 7 days` */
export const everyHoursText = (hours: number): string =>
  hours % 24 === 0 && hours > 24
    ? everyDaysText(hours / 24)
    : hours === 1
      ? 'every hour'
      : `every ${count(hours)} hours`

export const everyDaysText = (days: number): string => (days === 1 ? 'every day' : `every ${count(days)} days`)

/** A few storefronts by name; more are counted. */
function storefrontsText(countries: readonly string[]): string {
  if (countries.length === storefrontCodes.length) return 'all storefronts'
  if (countries.length > 4) return countWithNoun(countries.length, 'storefront')
  return countries.map(countryName).join(', ')
}

/** The parts of a schedule in words, in the order of the form. Empty where nothing is collected by itself. */
export function scheduledParts(schedule: Schedule, categoryName: (id: number) => string): ScheduledPart[] {
  const { charts, apps, pages, localizations, estimates, keywords, searchPages, appStoreAds } = schedule
  const named = (names: readonly string[], more: string) =>
    names.length > 3 ? `${count(names.length)} ${more}` : names.join(', ')
  return [
    ...charts.map(({ countries, charts: kinds, categories, devices, everyHours }) => ({
      name: `Charts: ${kinds.map((kind) => chartInWords[kind]).join(', ')}`,
      of: [
        storefrontsText(countries),
        named(categories.map(categoryName), 'categories'),
        devices.map((device) => deviceInWords[device]).join(', '),
      ].join(' · '),
      every: everyHoursText(everyHours),
    })),
    ...[
      { name: 'App details', checks: apps },
      { name: 'App pages', checks: pages },
    ].flatMap(({ name, checks }) =>
      checks
        ? [
            {
              name,
              of: storefrontsText(checks.countries),
              every: `${everyDaysText(checks.everyDays)}, tracked apps ${everyHoursText(checks.trackedEveryHours)}`,
            },
          ]
        : [],
    ),
    ...(localizations
      ? [{ name: 'Other languages', of: 'tracked apps', every: everyDaysText(localizations.everyDays) }]
      : []),
    ...(keywords ? [{ name: 'Keywords', of: 'tracked apps', every: everyHoursText(keywords.everyHours) }] : []),
    ...(searchPages
      ? [
          {
            name: 'App Store web search',
            of: 'keywords of tracked apps',
            every: everyHoursText(searchPages.everyHours),
          },
        ]
      : []),
    ...(estimates
      ? [
          {
            name: 'Estimates',
            of: 'tracked and requested apps',
            every: everyHoursText(estimates.everyHours),
          },
        ]
      : []),
    ...(appStoreAds
      ? [{ name: 'App Store ads', of: 'tracked apps', every: everyDaysText(appStoreAds.everyDays) }]
      : []),
  ]
}
