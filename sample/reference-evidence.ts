import { sampleApps } from './apps.ts'
import { dayText, lastDay, type Span, timeText } from './calendar.ts'
import { sampleCharts } from './charts.ts'
import { type SampleDocument, type SampleSearch, sampleHost } from './document.ts'
import { sampleHints } from './hints.ts'
import { sampleLookups } from './lookups.ts'
import { namedApps } from './named-apps.ts'
import type { SamplePaidAd } from './paid-ads.ts'
import type { SamplePost } from './posts.ts'
import { sampleSearches } from './searches.ts'

const terms = [{ country: 'us', terms: ['focus timer', 'deep work', 'pomodoro', 'study timer'] }] as const
const healthChart = [{ kind: 'top-free', genreId: '6013', feed: 'legacy' }] as const

/**
 * The evidence behind the examples of the reference, besides `sampleEvidence` and in the same formats, so that each of them
 * has an answer.
 */
export function* referenceEvidence(span: Span): Generator<SampleDocument | SampleSearch> {
  const named = namedApps(span)
  const everybody = [...sampleApps(span), ...named]
  yield* sampleLookups(named, span, ['us'])
  yield* sampleCharts(everybody, span, healthChart, ['us'])
  yield* sampleSearches(everybody, span, terms)
  yield* sampleHints(everybody, span, terms)
  yield post(span)
  yield ad(span)
}

export const referenceAdvertiser = { id: '104829173650281', name: 'Tidepool Habits' }
const storePage = 'https://apps.apple.com/us/app/id6449912345'

function post(span: Span): SampleDocument {
  const native = '7478123456789012345'
  const published = lastDay(span) - 20
  const seen = (daysAfter: number, views: number): SamplePost => ({
    postId: `tiktok_${native}`,
    network: 'tiktok',
    url: `${sampleHost}/tiktok/mossandminutes/${native}`,
    author: { handle: 'mossandminutes', name: 'Moss & Minutes', followers: 20_400 },
    text: `I broke a 40 day streak so you don’t have to. Tidepool Habits: ${storePage} #habits #morningroutine`,
    language: 'en',
    hashtags: ['habits', 'morningroutine'],
    publishedAt: timeText(published, 63_669),
    media: [
      {
        kind: 'video',
        url: `${sampleHost}/media/tiktok/${native}.mp4`,
        durationSeconds: 21.4,
        width: 576,
        height: 1024,
      },
    ],
    metrics: {
      views,
      likes: Math.round(views * 0.083),
      comments: Math.round(views * 0.002),
      shares: Math.round(views * 0.01),
    },
    observedAt: timeText(published + daysAfter, 28_800),
  })
  return linesOf('organic', 'organic-file', 'posts-of-the-reference', [seen(2, 61_800), seen(9, 184_200)])
}

function ad(span: Span): SampleDocument {
  const archiveId = '1127384950617284'
  const started = lastDay(span) - 22
  const shown: SamplePaidAd = {
    platform: 'meta',
    archiveId,
    advertiser: referenceAdvertiser,
    creatives: [
      {
        title: 'Small tides, every day',
        text: 'Missed a day again? Tidepool forgives it. Start your free trial and keep the habit.',
        callToAction: 'Install Now',
        linkUrl: storePage,
        media: [
          {
            kind: 'video',
            url: `${sampleHost}/ads/meta/${archiveId}.mp4`,
            durationSeconds: 14.8,
            width: 1080,
            height: 1920,
            captions: {
              language: 'en',
              segments: [
                { startSeconds: 0, endSeconds: 5.2, text: 'I missed a day again, and nothing happened.' },
                { startSeconds: 5.2, endSeconds: 14.1, text: 'Tidepool forgives it. Try seven days free.' },
              ],
            },
          },
        ],
      },
    ],
    startedOn: dayText(started),
    active: true,
    countries: ['de', 'fr', 'ie'],
    publisherPlatforms: ['facebook', 'instagram'],
    languages: ['en'],
    observedAt: timeText(lastDay(span) - 1, 28_800),
  }
  return linesOf('paid-ads', 'paid-ads-file', 'paid-ads-of-the-reference', [shown])
}

function linesOf(
  kind: 'organic' | 'paid-ads',
  format: 'organic-file' | 'paid-ads-file',
  name: string,
  records: readonly (SamplePost | SamplePaidAd)[],
): SampleDocument {
  return {
    kind,
    format,
    fileName: `${name}.ndjson`,
    country: null,
    observedAt: records.at(-1)?.observedAt ?? '',
    content: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  }
}
