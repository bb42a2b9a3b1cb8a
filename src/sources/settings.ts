import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { SourceOptions, type SourceSettings } from './polite/settings.ts'

export const upstreams = [
  'itunes',
  'apple-rss',
  'apple-rss-legacy',
  'apple-search-hints',
  'app-store-page',
] as const

/** One address that is asked, with a pace of its own. */
export type Upstream = (typeof upstreams)[number]

/**
 * Which feed is asked for the charts that both of Apple's feeds carry. `legacy` by default: it alone has genres, iPad
 * and grossing, its entries say more, and a chart's history should not change its source half-way. `v2` is for the day
 * on which the older feed ends; what it does not carry still comes from there.
 */
export type ChartFeedChoice = 'legacy' | 'v2'

/** How every upstream is asked. */
export type SourcesSettings = Record<Upstream, SourceSettings> & { chartFeed: ChartFeedChoice }

type Defaults = z.output<typeof SourceOptions>

const megabyte = 1024 * 1024
const usual: Omit<Defaults, 'baseUrl' | 'callsPerMinute'> = {
  headers: { 'user-agent': `Rivalscope/${manifest.version}` },
  timeoutSeconds: 20,
  maxBytes: 20 * megabyte,
  attempts: 3,
}

/**
 * Apple names a limit for Search and Lookup only, "approximately 20 calls per minute"; nobody knows whether the other
 * addresses count with it, so each keeps a pace of its own, none faster than that one.
 * Source: Apple's Search API documentation; addresses as they stood in 2026.
 */
const defaults: Record<Upstream, Defaults> = {
  itunes: { ...usual, baseUrl: 'https://itunes.apple.com', callsPerMinute: 20 },
  'apple-rss': { ...usual, baseUrl: 'https://rss.marketingtools.apple.com', callsPerMinute: 10 },
  'apple-rss-legacy': { ...usual, baseUrl: 'https://itunes.apple.com', callsPerMinute: 20 },
  'apple-search-hints': { ...usual, baseUrl: 'https://search.itunes.apple.com', callsPerMinute: 20 },
  'app-store-page': { ...usual, baseUrl: 'https://apps.apple.com', callsPerMinute: 10 },
}

const Entry = SourceOptions.partial()
  .extend({ pace: z.enum(upstreams).optional() })
  .optional()

/**
 * The `sources` section of a configuration file, every key optional, unknown ones refused by name. Gives complete
 * settings; headers are added to the usual ones.
 */
export const Sources = z
  .strictObject({
    chartFeed: z.enum(['legacy', 'v2']).default('legacy'),
    itunes: Entry,
    'apple-rss': Entry,
    'apple-rss-legacy': Entry,
    'apple-search-hints': Entry,
    'app-store-page': Entry,
  })
  .transform(({ chartFeed, ...written }): SourcesSettings => {
    const callsPerMinute = (name: Upstream) => written[name]?.callsPerMinute ?? defaults[name].callsPerMinute
    const settingsOf = (name: Upstream): SourceSettings => {
      const given = defined(written[name] ?? {})
      const pace = written[name]?.pace ?? name
      return {
        ...defaults[name],
        ...given,
        headers: { ...defaults[name].headers, ...lowerCase(written[name]?.headers ?? {}) },
        pace,
        callsPerMinute: callsPerMinute(pace),
      }
    }
    return {
      chartFeed,
      itunes: settingsOf('itunes'),
      'apple-rss': settingsOf('apple-rss'),
      'apple-rss-legacy': settingsOf('apple-rss-legacy'),
      'apple-search-hints': settingsOf('apple-search-hints'),
      'app-store-page': settingsOf('app-store-page'),
    }
  })

type Defined<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

function defined<Given extends object>(given: Given): Defined<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Given>
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
