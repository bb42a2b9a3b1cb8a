import { isStoreId } from '../../src/vocabulary/ids.ts'
import type { ChannelKind, Digest, WebhookShape } from '../../src/vocabulary/watches.ts'
import type { ChannelListed, Watch, Whose } from '../api/watches.ts'
import { countryName, isolateDirection } from './format.ts'
import { adPlatformInWords, chartInWords, deviceInWords, overallCategory } from './words.ts'

/** A watch in two lines: what it looks for, and whose it is and where. */
export interface WatchWords {
  what: string
  where: string
}

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** What a watch names by ids, where its name is known. */
interface Names {
  appName: string | null
  categoryName: string | null
}

export function watchInWords(watch: Watch, { appName, categoryName }: Names): WatchWords {
  const whose = 'app' in watch ? whoseInWords(watch.app, appName) : undefined
  const there = 'country' in watch && watch.country ? countryName(watch.country) : undefined
  const where = [whose, 'in' in watch ? rankingInWords(watch, categoryName) : undefined, there]
    .filter(Boolean)
    .join(' · ')
  switch (watch.kind) {
    case 'top':
      return { what: `Enters or leaves the top ${list.format(watch.places.map(String))}`, where }
    case 'moved':
      return { what: `Moves ${watch.by} places or more`, where }
    case 'chart':
      return { what: `Enters or leaves ${watch.in === 'charts' ? 'the chart' : 'the search results'}`, where }
    case 'listing':
      return { what: 'Listing changes', where }
    case 'release':
      return { what: 'New version', where }
    case 'availability':
      return { what: 'Removed from the App Store, or back', where }
    case 'ads':
      return {
        what: 'Ad starts or ends',
        where: 'advertiser' in watch ? advertiserInWords(watch.advertiser) : where,
      }
    case 'emerging':
      return {
        what: 'Emerging app found',
        where: [categoryName ?? 'All categories', there].join(' · '),
      }
    case 'source':
      return { what: `Source fails for ${watch.hours} hours`, where: there ?? 'All storefronts' }
    case 'import':
      return { what: 'Ad import finishes', where: 'Your account' }
  }
}

const groups: Readonly<Record<string, string>> = {
  own: 'My apps',
  rivals: 'Competitors',
  tracked: 'All tracked apps',
}
export const whoseOptions = Object.entries(groups).map(([id, name]) => ({ id, name }))

function whoseInWords(app: Whose, name: string | null): string {
  if (isStoreId(app)) return name === null ? `App ${app}` : isolateDirection(name)
  return groups[app] ?? app
}

function rankingInWords(
  { in: place, term, chart, category, device }: Extract<Watch, { in: string }>,
  categoryName: string | null,
): string {
  if (place === 'keywords') return term === undefined ? 'tracked keywords' : isolateDirection(`“${term}”`)
  const parts = [
    chart && chartInWords[chart],
    String(category) !== overallCategory && categoryName,
    device && deviceInWords[device],
  ].filter(Boolean)
  return parts.length === 0 ? 'all collected charts' : parts.join(', ')
}

function advertiserInWords(advertiser: string): string {
  const at = advertiser.indexOf('/')
  const platform = advertiser.slice(0, at) as keyof typeof adPlatformInWords
  return `Advertiser ${advertiser.slice(at + 1)} · ${adPlatformInWords[platform] ?? platform}`
}

/** Whether two watches look for the same. */
export const isSameWatch = (one: Watch, other: Watch): boolean => keyOf(one) === keyOf(other)

const keyOf = (watch: Watch) =>
  JSON.stringify(
    Object.entries(watch)
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const shapeInWords: Record<WebhookShape, string> = {
  generic: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
}
const kindInWords: Record<ChannelKind, string> = { webhook: 'Webhook', email: 'Email', feed: 'Feed' }

export const channelInWords = ({
  kind,
  shape,
}: Pick<ChannelListed, 'kind'> & { shape?: WebhookShape | null }) =>
  shape ? shapeInWords[shape] : kindInWords[kind]

export const digestInWords: Record<Digest, string> = {
  immediate: 'Immediately',
  daily: 'Daily digest',
  weekly: 'Weekly digest',
}
