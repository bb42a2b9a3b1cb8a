import { z } from 'zod'
import ads from './words/ad-phrases.json' with { type: 'json' }
import brands from './words/brands.json' with { type: 'json' }
import native from './words/native-apps.json' with { type: 'json' }
import phrases from './words/phrases.json' with { type: 'json' }
import posts from './words/post-phrases.json' with { type: 'json' }
import games from './words/themes-games.json' with { type: 'json' }
import life from './words/themes-life.json' with { type: 'json' }
import media from './words/themes-media.json' with { type: 'json' }
import money from './words/themes-money.json' with { type: 'json' }
import work from './words/themes-work.json' with { type: 'json' }

/** The words that sample evidence is made of. They lie in `words/`; what is wrong with one of them is told when they are read. */

const Area = z.enum(['games', 'money', 'work', 'life', 'media'])

/** Developers and advertisers keep to one area. */
export type Area = z.output<typeof Area>

const Topic = z.strictObject({ en: z.string(), de: z.string(), ja: z.string() })

export type Topic = z.output<typeof Topic>

const Theme = z.strictObject({
  genreId: z.string(),
  area: Area,
  /** A second genre such apps often stand in. */
  beside: z.string().exactOptional(),
  /** First words of invented brands. */
  brands: z.array(z.string()),
  /** What the app is, as names put it after the colon. */
  topics: z.array(Topic),
  sentences: z.array(z.string()),
  /** Bullet points. */
  features: z.array(z.string()),
})

/** What apps of one genre talk about. Apps that share a theme share its vocabulary, as similar apps do. */
export type Theme = z.output<typeof Theme>

/** How many invented apps a theme gets. Games and Finance have charts of their own and need enough of them. */
const appsOf: Readonly<Record<Area, number>> = { games: 7, money: 27, work: 7, life: 8, media: 8 }

export const themes: readonly { readonly theme: Theme; readonly apps: number }[] = z
  .array(Theme)
  .parse([...games, ...money, ...work, ...life, ...media])
  .map((theme) => ({ theme, apps: appsOf[theme.area] }))

/** The theme of a genre: the first of them, where a genre has several. */
export function themeOf(genreId: string): Theme {
  const found = themes.find(({ theme }) => theme.genreId === genreId)
  if (!found) throw new RangeError(`no theme for genre ${genreId}`)
  return found.theme
}

const NativeApp = z.strictObject({
  name: z.string(),
  /** In Latin letters, for the bundle id. */
  slug: z.string(),
  genreId: z.string(),
  /** What it is for, in its own language. */
  topic: z.string(),
})

/** An app that was made for one market first: name and description stay in its language in every storefront. */
export type NativeApp = z.output<typeof NativeApp>

const NativeMarket = z.strictObject({
  language: z.enum(['ja', 'de', 'zh']),
  makers: z.array(z.strictObject({ name: z.string(), seller: z.string(), slug: z.string() })),
  apps: z.array(NativeApp),
})

export const nativeMarkets = z.array(NativeMarket).parse(native.nativeMarkets)

/** Second words of invented brands: nobody has yet called a bank Haddock. */
export const { oddments, manners } = brands

/** Developers by what they make: the name in the store, and the legal form of the seller; and people who are one. */
export const { developers, soloists } = brands

/** Parts of descriptions; `{brand}` and `{topic}` are filled in. */
export const { openings, anyGame, closings, releaseNotes, foreignSentences } = phrases

/** Words of ads by area, with what is said in their videos; `{app}` and `{topic}` are filled in. */
export const { adWords, foreignAdWords, spokenLines } = ads

/** Advertisers with nothing in the store: their ads must link to no app. */
export const { otherAdvertisers } = ads

/** Posts about an app, what follows with the address of it, and posts about nothing we sell; by language. */
export const { english, otherVoices } = posts

/** Tags of posts by area, and names of their authors. */
export const { areaTags, handles } = posts
