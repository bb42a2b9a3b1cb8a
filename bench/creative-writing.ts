import { mulberry32 } from '../sample/dice.ts'
import type { StatedMedium } from '../src/domain/creatives/media.ts'
import type { Stated } from '../src/domain/facts/merge.ts'
import type { PostFields, PostMetrics } from '../src/domain/organic/post.ts'
import type { AdFields, CreativeFields } from '../src/domain/paid-ads/ad.ts'
import type { AdFormat } from '../src/vocabulary/ad-fields.ts'
import type { AdPlatform } from '../src/vocabulary/ad-platforms.ts'
import type { Network } from '../src/vocabulary/networks.ts'
import type { PostMediaType } from '../src/vocabulary/post-fields.ts'
import { cjkVocabulary, latinVocabulary } from './vocabulary.ts'

/** Made-up posts and ads in the proportions of real ones: frequent words and authors are frequent, most views are few. */

export const latin = latinVocabulary(11)
export const cjk = cjkVocabulary(12)
/** Apps that creatives belong to; the first have most. */
export const linkedApps = 2_000
const authors = 60_000
const advertisers = 20_000
const tags = 8_000
const day = 86_400_000
const lastInstant = Date.parse('2026-11-20T00:00:00Z')

/** How often something of each kind is met, and how its language moves the frequent words. */
const languages = [
  { tag: 'en', until: 0.56, shift: 0 },
  { tag: 'ja', until: 0.68, shift: 0 },
  { tag: 'es', until: 0.78, shift: 700 },
  { tag: 'pt-BR', until: 0.86, shift: 1_500 },
  { tag: 'de', until: 0.92, shift: 2_600 },
  { tag: 'fr', until: 0.97, shift: 4_000 },
  { tag: null, until: 1, shift: 6_000 },
] as const

export interface MadePost {
  network: Network
  nativeId: string
  author: string
  facts: Stated<PostFields>
  metrics: PostMetrics
  /** Digits; null for most. */
  storeId: string | null
}

export interface MadeAd {
  platform: AdPlatform
  archiveId: string
  advertiserId: string
  facts: Stated<AdFields>
  creatives: Stated<CreativeFields>[]
  lastObservedAt: Date
  transcript: string | null
  storeId: string | null
}

type Roll = () => number
const rolls = (seed: number, at: number): Roll => mulberry32(seed * 1_000_003 + at)
const pick = <T>(roll: Roll, from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T
/** Of a number of things, where the first are met far more often than the last. */
const skewed = (roll: Roll, among: number, power = 2.5) => Math.floor(among * roll() ** power)
const bell = (roll: Roll) => Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll())

function writer(roll: Roll) {
  const place = roll()
  const { tag, shift } = languages.find(({ until }) => place < until) ?? languages[0]
  const words = (fewest: number, most: number) => {
    const count = Math.round(fewest + (most - fewest) * roll() ** 2)
    return tag === 'ja'
      ? Array.from({ length: count }, () => cjk.draw(roll())).join('')
      : Array.from({ length: count }, () => latin.draw(roll(), shift)).join(' ')
  }
  return { tag, words }
}

const networks: (keyof typeof mediaOfNetwork)[] = [
  'tiktok',
  'tiktok',
  'tiktok',
  'instagram',
  'instagram',
  'youtube',
  'youtube',
  'reddit',
  'x',
]
const mediaOfNetwork = {
  tiktok: ['video', 'video', 'video', 'carousel'],
  instagram: ['video', 'image', 'carousel'],
  youtube: ['video'],
  reddit: ['text', 'link', 'image', 'video'],
  x: ['text', 'image', 'video'],
} satisfies { [Each in Network]?: PostMediaType[] }

export function madePost(at: number): MadePost {
  const roll = rolls(1, at)
  const { tag, words } = writer(roll)
  const network = pick(roll, networks)
  const author = skewed(roll, authors)
  const titled = network === 'youtube' || network === 'reddit'
  const hashtags = Array.from(
    { length: skewed(roll, 7, 1.2) },
    () => latin.words[skewed(roll, tags, 4)] ?? 'fyp',
  )
  const views = Math.round(Math.exp(7 + 4 * Math.sin(author) + 1.3 * bell(roll)))
  const liked = (share: number) => Math.round(views * share * (0.3 + roll()))
  const hidden = network === 'reddit' || (network === 'instagram' && roll() < 0.25)
  return {
    network,
    nativeId: `b${at}`,
    author: `${latin.words[author % 50_000]}_${author}`,
    facts: {
      url: `https://example.org/${network}/${at}`,
      authorName: `${latin.words[author % 50_000]} ${latin.words[(author * 7) % 50_000]}`,
      ...(titled ? { title: words(3, 12) } : {}),
      text: words(4, network === 'youtube' ? 120 : 45),
      ...(tag ? { language: tag } : { detectedLanguage: null }),
      hashtags: [...new Set(hashtags)],
      publishedAt: new Date(lastInstant - Math.floor(roll() ** 2 * 1_000 * day)).toISOString(),
      mediaType: pick(roll, mediaOfNetwork[network]),
      media: [medium],
    },
    metrics: { ...(hidden ? {} : { views }), likes: liked(0.05), comments: liked(0.004), shares: liked(0.006) },
    storeId: roll() < 0.05 ? appOf(roll) : null,
  }
}

const medium: StatedMedium = { kind: 'video', url: 'https://example.org/media.mp4', durationSeconds: 21 }
const appOf = (roll: Roll) => String(1_000_000_000 + skewed(roll, linkedApps, 3))
const calls =
  'install-now install-now install-now learn-more shop-now sign-up download play-game get-offer'.split(' ')
const places = 'us gb de fr es it jp br mx pl nl se at ie pt be'.split(' ')
const formats: AdFormat[] = ['video', 'video', 'video', 'image', 'image', 'carousel', 'dynamic', 'text']

export function madeAd(at: number): MadeAd {
  const roll = rolls(2, at)
  const { tag, words } = writer(roll)
  const platform: AdPlatform = roll() < 0.75 ? 'meta' : 'tiktok'
  const advertiser = skewed(roll, advertisers)
  const started = lastInstant - Math.floor(roll() ** 1.5 * 900 * day)
  const ran = Math.floor(Math.exp(2.6 + 1.2 * bell(roll))) * day
  const active = started + ran >= lastInstant
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  return {
    platform,
    archiveId: String(10_000_000_000_000 + at * 7),
    advertiserId: String(500_000 + advertiser),
    facts: {
      advertiserName: `${latin.words[advertiser % 50_000]} ${latin.words[(advertiser * 13) % 5_000]}`,
      format: pick(roll, formats),
      ...(tag ? { language: tag } : { detectedLanguage: null }),
      startedOn: dateOf(started),
      countries: [
        ...new Set(
          Array.from({ length: 1 + skewed(roll, 6) }, () => places[skewed(roll, places.length, 1.6)] ?? 'us'),
        ),
      ].sort(),
      ...(platform === 'meta'
        ? {
            publisherPlatforms:
              roll() < 0.7 ? ['facebook', 'instagram'] : [pick(roll, ['instagram', 'audience-network'])],
          }
        : {}),
      active,
      ...(active ? {} : { endedOn: dateOf(started + ran) }),
    },
    creatives: Array.from({ length: 1 + skewed(roll, 4, 4) }, () => ({
      title: words(2, 8),
      body: words(5, 60),
      ...(roll() < 0.4 ? { description: words(2, 12) } : {}),
      callToAction: pick(roll, calls),
      media: [medium],
    })),
    lastObservedAt: new Date(Math.min(lastInstant, started + ran) - Math.floor(roll() * day)),
    transcript: roll() < 0.02 ? words(20, 80) : null,
    storeId: roll() < 0.3 ? appOf(roll) : null,
  }
}
