import type { SampleApp } from './app.ts'
import { firstDay, lastDay, type Span, timeText } from './calendar.ts'
import { type Creator, sampleCreators } from './creators.ts'
import { type Dice, dice } from './dice.ts'
import { type SampleDocument, sampleHost } from './document.ts'
import { isListed, nameOn, storeUrl } from './listing.ts'
import {
  mediaOf,
  metricsOf,
  nativeId,
  type PostMedia,
  type PostMetrics,
  type SampleNetwork,
} from './networks.ts'
import { areaTags, english, otherVoices, themes } from './words.ts'

/** One line of the file: a post at its observation. */
export type SamplePost = {
  readonly postId: string
  readonly network: SampleNetwork
  readonly url: string
  readonly author: { readonly handle: string; readonly name: string; readonly followers?: number }
  readonly text: string
  readonly language: string
  readonly hashtags: readonly string[]
  readonly publishedAt: string
  readonly media: readonly PostMedia[]
  /** Metrics that a network hides are left out: never zero. */
  readonly metrics: PostMetrics
  readonly observedAt: string
}

const count = 300

/** Days before the last on which posts were collected. */
const collections = [60, 30, 14, 0]

/** About 300 posts, one file for each collection, oldest first. A quarter of the posts are observed a second time. */
export function* samplePosts(apps: readonly SampleApp[], span: Span): Generator<SampleDocument> {
  const drafts = draftPosts(apps, span)
  const days = collections.map((back) => lastDay(span) - back).filter((day) => day > firstDay(span))
  for (const [at, day] of days.entries()) {
    const before = days[at - 1] ?? Number.NEGATIVE_INFINITY
    const twiceBefore = days[at - 2] ?? Number.NEGATIVE_INFINITY
    const seen = drafts.filter(({ day: published, twice }) => {
      const isNew = published < day && published >= before
      return isNew || (twice && published < before && published >= twiceBefore)
    })
    const observedAt = timeText(day, 7 * 3600)
    yield {
      kind: 'organic',
      format: 'organic-file',
      fileName: `posts-${observedAt.slice(0, 10)}.ndjson`,
      country: null,
      observedAt,
      content: seen.map((draft) => `${JSON.stringify(observe(draft, day, observedAt))}\n`).join(''),
    }
  }
}

type DraftPost = {
  readonly day: number
  readonly twice: boolean
  /** The final number of views. */
  readonly reach: number
  readonly hidesLikes: boolean
  readonly fixed: Omit<SamplePost, 'metrics' | 'observedAt'>
}

function draftPosts(apps: readonly SampleApp[], span: Span): DraftPost[] {
  const creators = sampleCreators(span.seed)
  // A few apps have most of the posts.
  const talkedAbout = [...apps]
    .filter((app) => app.releasedDay < lastDay(span) - 10)
    .sort((a, b) => b.popularity + (b.plot.launch?.height ?? 0) - a.popularity - (a.plot.launch?.height ?? 0))
  return Array.from({ length: count }, (_, at) => {
    const fortune = dice(span.seed, 'post', at)
    return draftPost(fortune, creators, talkedAbout, span)
  }).sort((a, b) => a.day - b.day || (a.fixed.publishedAt < b.fixed.publishedAt ? -1 : 1))
}

function draftPost(
  fortune: Dice,
  creators: readonly Creator[],
  apps: readonly SampleApp[],
  span: Span,
): DraftPost {
  const creator = creators[Math.floor(creators.length * fortune.roll() ** 1.5)] ?? fortune.pick(creators)
  const day = lastDay(span) - 1 - Math.floor(fortune.roll() ** 1.4 * 88)
  const candidate = apps[Math.floor(apps.length * fortune.roll() ** 2.2)]
  const app = candidate && candidate.releasedDay <= day && fortune.chance(0.86) ? candidate : null
  const id = nativeId(creator.network, fortune)
  const { text, hashtags } = write(creator, app, day, fortune)
  const isOutlier = fortune.chance(0.05)
  return {
    day,
    twice: fortune.chance(0.4),
    reach: creator.usualViews * Math.exp(fortune.bell() * 0.6) * (isOutlier ? fortune.between(8, 40) : 1),
    hidesLikes: creator.network === 'instagram' && fortune.chance(0.25),
    fixed: {
      postId: `${creator.network}_${id}`,
      network: creator.network,
      url: `${sampleHost}/${creator.network}/${creator.handle}/${id}`,
      author: authorOf(creator),
      text,
      language: creator.language,
      hashtags,
      publishedAt: timeText(day, fortune.between(6 * 3600, 86_399)),
      media: mediaOf(creator.network, id, fortune),
    },
  }
}

/** Reddit does not show numbers of followers. */
const authorOf = ({ network, handle, name, followers }: Creator): SamplePost['author'] =>
  network === 'reddit' ? { handle, name } : { handle, name, followers }

function write(creator: Creator, app: SampleApp | null, day: number, fortune: Dice) {
  const voice = creator.language === 'en' ? english : otherVoices[creator.language]
  if (!app) return { text: fortune.pick(voice.other), hashtags: fortune.chance(0.5) ? ['fyp'] : [] }
  const country = ({ ja: 'jp', de: 'de', en: 'us', es: 'us' } as const)[creator.language]
  const sold = isListed(app, country, day) ? country : 'us'
  const topics = themes
    .filter(({ theme }) => app.genreIds.includes(theme.genreId))
    .flatMap(({ theme }) => theme.topics)
  const own = app.brand.toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, '')
  const hashtags = [
    ...fortune.some(areaTags[app.area], fortune.between(0, 3)),
    ...(fortune.chance(0.45) ? [own] : []),
  ]
  const link = fortune.chance(0.3)
    ? ` ${fortune.pick(voice.callToLink).replace('{url}', storeUrl(app, sold, nameOn(app, sold, day)))}`
    : ''
  const tags = creator.network === 'reddit' ? '' : hashtags.map((tag) => ` #${tag}`).join('')
  const line = fortune
    .pick(voice.about[app.area])
    .replaceAll('{app}', app.brand)
    .replaceAll('{topic}', fortune.pick(topics).en.toLowerCase())
  return { text: `${line}${link}${tags}`, hashtags: tags === '' ? [] : hashtags }
}

function observe(
  { fixed, reach, day: published, hidesLikes }: DraftPost,
  day: number,
  observedAt: string,
): SamplePost {
  // Half of the final views are reached after three days.
  const views = Math.round(reach * (1 - 2 ** (-(day - published) / 3)))
  return {
    ...fixed,
    metrics: metricsOf(fixed.network, fixed.media, views, hidesLikes, fixed.postId),
    observedAt,
  }
}
