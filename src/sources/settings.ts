import manifest from 'rivalscope/package.json' with { type: 'json' }
import { z } from 'zod'
import {
  askedLibraryRow,
  askedPlatforms,
  type LibrarySource,
  librarySource,
  librarySources,
} from '../vocabulary/ad-platforms.ts'

const appleUpstreams = [
  'itunes',
  'apple-rss',
  'apple-rss-legacy',
  'apple-search-hints',
  'app-store-page',
  'app-store-search',
] as const

export type AppleUpstream = (typeof appleUpstreams)[number]
/** One address that is asked, with its own pace. */
export type Upstream = AppleUpstream | LibrarySource

export const upstreams: readonly Upstream[] = [...appleUpstreams, ...librarySources]

/** The settings of each upstream. */
const ofEach = <Value>(value: (name: Upstream) => Value) =>
  Object.fromEntries(upstreams.map((name) => [name, value(name)])) as Record<Upstream, Value>

/**
 * The feed for charts that both of Apple's feeds carry. `legacy` is the default: it alone has genres, iPad and grossing, its
 * entries have more details, and the history of a chart should not change its source half-way. `v2` is for the day on which
 * the older feed ends; charts that it does not carry still come from the older one.
 */
export type ChartFeedChoice = 'legacy' | 'v2'

/** The settings of every upstream. */
export type SourcesSettings = Record<Upstream, SourceSettings> & {
  chartFeed: ChartFeedChoice
  /** Version of the Graph API for Meta's ads, such as `v24.0`; each is supported for about two years. */
  metaApiVersion: string
}

type Defaults = z.output<typeof SourceOptions>

const megabyte = 1024 * 1024
const usual: Omit<Defaults, 'baseUrl' | 'callsPerMinute'> = {
  headers: { 'user-agent': `Rivalscope/${manifest.version}` },
  timeoutSeconds: 20,
  maxBytes: 20 * megabyte,
  attempts: 3,
}

/** Ad libraries are slow at pages of hundreds of ads. */
const libraryDefaults = Object.fromEntries(
  askedPlatforms.map((platform): [string, Defaults] => {
    const { baseUrl, callsPerMinute } = askedLibraryRow(platform)
    const slow = { timeoutSeconds: 60, maxBytes: 50 * megabyte }
    return [librarySource(platform), { ...usual, ...slow, baseUrl, callsPerMinute }]
  }),
) as Record<LibrarySource, Defaults>

/**
 * Apple documents a limit for Search and Lookup only, "approximately 20 calls per minute"; it is unknown whether other addresses
 * count towards it, so each has its own pace, none faster than that one. No ad library publishes a rate; Meta reports the
 * used share in each answer, and the client obeys it. Source: Apple's Search API documentation; addresses as of 2026.
 */
const defaults: Record<Upstream, Defaults> = {
  itunes: { ...usual, baseUrl: 'https://itunes.apple.com', callsPerMinute: 20 },
  'apple-rss': { ...usual, baseUrl: 'https://rss.marketingtools.apple.com', callsPerMinute: 10 },
  'apple-rss-legacy': { ...usual, baseUrl: 'https://itunes.apple.com', callsPerMinute: 20 },
  'apple-search-hints': { ...usual, baseUrl: 'https://search.itunes.apple.com', callsPerMinute: 20 },
  'app-store-page': { ...usual, baseUrl: 'https://apps.apple.com', callsPerMinute: 10 },
  'app-store-search': { ...usual, baseUrl: 'https://apps.apple.com', callsPerMinute: 6 },
  ...libraryDefaults,
}

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .regex(/^[^\s\0]*$/, 'must hold no blanks')
  .regex(/^[^@?#]*$/, 'must hold no credentials, query or fragment')

/** Headers that describe one request, not the caller: the HTTP client sets them. */
const ofTheConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const Headers = z
  .record(z.string(), z.string())
  .refine(
    (headers) => Object.entries(headers).every(isHeader),
    'must be HTTP headers, and none of the connection',
  )

const minutesADay = 1_440

/** Settings of one upstream in a configuration file; each may be left out. */
const SourceOptions = z.strictObject({
  baseUrl: BaseUrl,
  /** Sent with every call; headers that a call needs override them. */
  headers: Headers,
  /** 0 for no pace; else at least one a day, since a call waits for its turn up to a day. */
  callsPerMinute: z
    .number()
    .min(0)
    .max(6_000)
    .refine((calls) => calls === 0 || calls >= 1 / minutesADay, 'must be 0, or one call a day at least'),
  /** Limit for one whole answer, without the wait for the rate limiter. */
  timeoutSeconds: z.number().positive().max(600),
  /** Limit after decompression. */
  maxBytes: z
    .number()
    .int()
    .min(1_000)
    .max(256 * 1024 * 1024),
  /** Most attempts of one call. */
  attempts: z.number().int().min(1).max(10),
})

const Entry = SourceOptions.partial()
  .extend({ pace: z.enum(upstreams).optional() })
  .optional()

/**
 * The `sources` section of a configuration file: every key is optional, unknown ones are refused by name. Parses to
 * complete settings; headers are added to the default ones.
 */
export const Sources = z
  .strictObject({
    chartFeed: z.enum(['legacy', 'v2']).default('legacy'),
    ...ofEach(() => Entry),
    metaApiVersion: z
      .string()
      .regex(/^v[1-9][0-9]{0,2}\.[0-9]$/, 'must be a version such as v24.0')
      .default('v24.0'),
  })
  .transform(({ chartFeed, metaApiVersion, ...written }): SourcesSettings => {
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
    return { chartFeed, metaApiVersion, ...ofEach(settingsOf) }
  })

type Defined<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

function defined<Given extends object>(given: Given): Defined<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Given>
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function isHeader([name, value]: [string, string]): boolean {
  // An import would load the whole HTTP client with every command.
  const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http')
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return !ofTheConnection.has(name.toLowerCase())
  } catch {
    return false
  }
}

/** The settings for asking one upstream. */
export interface SourceSettings extends z.output<typeof SourceOptions> {
  /** The name of its rate limit; its own, unless it shares one with another upstream. */
  pace: string
}
