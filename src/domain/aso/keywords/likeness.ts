import type { ReadTexts } from './brands.ts'

/** The closest apps are alike by the mean of so many; from `full` of that an app counts fully, up to `none` not at all. */
const closest = 3
const full = 0.6
const none = 0.3
/** What a rival counts at least: somebody chose it. */
const rival = 0.5

/** The apps that are looked at. */
export interface LookedAt {
  rivals: readonly ReadTexts[]
  /** Those that are neither the app itself nor a rival. */
  others: readonly ReadTexts[]
  /** With the app itself, if there is a listing of it. */
  all: readonly ReadTexts[]
  /** Developers by how much their words count, 0 to 1. */
  developers: ReadonlyMap<string, number>
  /** How many of them are neither its own nor a rival's. */
  otherDevelopers: number
}

/** The apps that speak of the same as the app. @param weightOf what a word tells */
export function lookedAt(
  own: ReadTexts | undefined,
  rivals: readonly ReadTexts[],
  found: readonly ReadTexts[],
  weightOf: (word: string) => number,
): LookedAt {
  const likeness = likenessTo(own, rivals, found, weightOf)
  const others = found.filter((app) => (likeness.get(app) ?? 0) > 0)
  const all = [...(own ? [own] : []), ...rivals, ...others]
  const developers = new Map<string, number>()
  for (const app of all)
    developers.set(app.developer, Math.max(developers.get(app.developer) ?? 0, likeness.get(app) ?? 1))
  return {
    rivals,
    others,
    all,
    developers,
    otherDevelopers: new Set(others.map(({ developer }) => developer)).size,
  }
}

/**
 * How much each app's words count, 0 to 1, by how much its texts speak of what the app's own do: the cosine of both, each
 * word by how rare it is, beside that of the closest ones. "Maps" stands in names of navigators and of worlds for a game.
 * Without descriptions there is nothing to tell them by, and all count fully.
 */
function likenessTo(
  own: ReadTexts | undefined,
  rivals: readonly ReadTexts[],
  found: readonly ReadTexts[],
  weightOf: (word: string) => number,
): Map<ReadTexts, number> {
  const others = [...rivals, ...found]
  const alike = new Map<ReadTexts, number>()
  if (own && own.description.length > 0) {
    const [words, length] = read(own, weightOf)
    for (const other of others) {
      if (other.description.length === 0) continue
      const [held, otherLength] = read(other, weightOf)
      let shared = 0
      for (const word of held) if (words.has(word)) shared += weightOf(word) ** 2
      alike.set(other, shared / (length * otherLength || 1))
    }
  }
  const best = [...alike.values()].sort((one, other) => other - one).slice(0, closest)
  const mean = best.reduce((sum, one) => sum + one, 0) / (best.length || 1)
  return new Map(
    others.map((other) => {
      const cosine = alike.get(other)
      const share = cosine === undefined || mean === 0 ? 1 : Math.min(1, (cosine / mean - none) / (full - none))
      return [other, Math.max(rivals.includes(other) ? rival : 0, share)]
    }),
  )
}

/** The words of an app's texts, and the length of them all as a vector. */
function read(
  { name, subtitle, description }: ReadTexts,
  weightOf: (word: string) => number,
): [ReadonlySet<string>, number] {
  const words = new Set([...name, ...subtitle, ...description].map(({ key }) => key))
  let squares = 0
  for (const word of words) squares += weightOf(word) ** 2
  return [words, Math.sqrt(squares)]
}
