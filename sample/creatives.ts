import type { SampleApp } from './app.ts'
import type { Dice } from './dice.ts'
import { sampleHost } from './document.ts'
import { isListed, nameOn, storeUrl } from './listing.ts'
import { adWords, foreignAdWords, spokenLines, themes } from './words.ts'

export type Creative = {
  readonly text: string
  readonly title: string
  readonly callToAction: string
  /** Left out where the library does not show the target of an ad. */
  readonly linkUrl?: string
  readonly media: readonly AdMedia[]
}

export type AdMedia = {
  readonly kind: 'image' | 'video'
  readonly url: string
  readonly durationSeconds?: number
  readonly width: number
  readonly height: number
  /** Some sources provide captions. */
  readonly captions?: { readonly language: string; readonly segments: readonly CaptionSegment[] }
}

type CaptionSegment = { readonly startSeconds: number; readonly endSeconds: number; readonly text: string }

/** The texts and the link of an ad: often the app's page in the store. */
export function writeCreative(
  app: SampleApp | null,
  language: 'en' | 'de' | 'ja',
  day: number,
  media: readonly AdMedia[],
  fortune: Dice,
): Creative {
  if (!app) {
    const text = 'Made to last, delivered by Thursday. See what the neighbours are carrying this autumn.'
    const linkUrl = `${sampleHost}/shop`
    return { text, title: 'Free delivery this week', callToAction: 'Shop Now', linkUrl, media }
  }
  const voice = language === 'en' ? adWords[app.area] : foreignAdWords[language]
  const topics = themes
    .filter(({ theme }) => app.genreIds.includes(theme.genreId))
    .flatMap(({ theme }) => theme.topics)
  const topic = fortune.pick(topics).en.toLowerCase()
  const fill = (line: string) => line.replaceAll('{app}', app.brand).replaceAll('{topic}', topic)
  const linkUrl = landing(app, language, day, fortune)
  const actions =
    app.area === 'games' ? ['Play Game', 'Install Now'] : ['Install Now', 'Download', 'Learn More', 'Sign Up']
  return {
    text: fill(fortune.pick(voice.texts)),
    title: fill(fortune.pick(voice.titles)),
    callToAction: fortune.pick(actions),
    ...(linkUrl && { linkUrl }),
    media,
  }
}

function landing(app: SampleApp, language: 'en' | 'de' | 'ja', day: number, fortune: Dice): string | null {
  const way = fortune.roll()
  if (way > 0.85) return null
  if (way > 0.6) return `${sampleHost}/${app.developer.slug}/landing?campaign=${fortune.between(100, 999)}`
  const country = ({ en: 'us', de: 'de', ja: 'jp' } as const)[language]
  const sold = isListed(app, country, day) ? country : 'us'
  return storeUrl(app, sold, nameOn(app, sold, day))
}

export function adMedia(
  platform: 'meta' | 'tiktok',
  archiveId: string,
  app: SampleApp | null,
  language: string,
  fortune: Dice,
): AdMedia[] {
  const address = `${sampleHost}/ads/${platform}/${archiveId}-${fortune.between(1000, 9999)}`
  if (platform === 'tiktok' || fortune.chance(0.5)) {
    const durationSeconds = fortune.between(9, 45)
    const shape = fortune.pick([
      { width: 1080, height: 1920 },
      { width: 1080, height: 1080 },
      { width: 1080, height: 1350 },
    ])
    const spoken = app && language === 'en' && fortune.chance(0.4) ? speak(app, durationSeconds, fortune) : null
    return [
      {
        kind: 'video',
        url: `${address}.mp4`,
        durationSeconds,
        ...shape,
        ...(spoken && { captions: { language, segments: spoken } }),
      },
    ]
  }
  // The library shows some ads as text only.
  const images = fortune.pick([0, 1, 1, 1, 1, 3, 5])
  return Array.from({ length: images }, (_, at) => ({
    kind: 'image',
    url: `${address}-${at + 1}.jpg`,
    width: 1080,
    height: 1080,
  }))
}

function speak(app: SampleApp, durationSeconds: number, fortune: Dice): CaptionSegment[] {
  const spoken = fortune.pick(spokenLines)
  const each = durationSeconds / spoken.length
  return spoken.map((line, at) => ({
    startSeconds: Math.round(at * each * 10) / 10,
    endSeconds: Math.round((at + 0.9) * each * 10) / 10,
    text: line.replaceAll('{app}', app.brand),
  }))
}
