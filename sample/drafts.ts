import { type SampleDeveloper, sampleDevelopers } from './developers.ts'
import { dice } from './dice.ts'
import type { Theme, Topic } from './words.ts'
import { type NativeApp, nativeMarkets, themeOf, themes } from './words.ts'

/** The first step for an app: its developer and its popularity. */
export type Draft = {
  readonly theme: Theme
  readonly topic: Topic
  readonly developer: SampleDeveloper
  readonly popularity: number
  readonly native: (NativeApp & { readonly language: 'ja' | 'de' | 'zh' }) | null
}

export function draftApps(seed: number): Draft[] {
  const makers = sampleDevelopers(seed)
  const fortune = dice(seed, 'drafts')
  const made = new Map<readonly SampleDeveloper[], number>()
  const draft = (
    theme: Theme,
    topic: Topic,
    studios: readonly SampleDeveloper[],
    native: Draft['native'],
  ): Draft => {
    const count = made.get(studios) ?? 0
    made.set(studios, count + 1)
    const busy = studios[Math.floor(studios.length * fortune.roll() ** 2)]
    // Everyone makes one app first; then a few developers make most.
    const developer = studios[count] ?? busy ?? fortune.pick(studios)
    const popularity = Math.min(5.6, -1.15 * Math.log(1 - fortune.roll()))
    return { theme, topic, developer, popularity, native }
  }
  return [
    ...themes.flatMap(({ theme, apps }) =>
      Array.from({ length: apps }, (_, at) =>
        draft(theme, topicOf(theme, at), makers.byArea[theme.area], null),
      ),
    ),
    ...nativeMarkets.flatMap(({ language, apps }) =>
      apps.map((app) => {
        const theme = themeOf(app.genreId)
        return draft(theme, topicOf(theme, 0), makers.byLanguage[language], { ...app, language })
      }),
    ),
  ]
}

/** The topics of a theme in turn, so that each has apps. */
function topicOf(theme: Theme, at: number): Topic {
  const topic = theme.topics[at % theme.topics.length]
  if (!topic) throw new RangeError(`theme ${theme.genreId} has no topics`)
  return topic
}
