import type { ReadTexts } from './brands.ts'

/**
 * Similarity is measured against the mean of this many closest apps: from `full` of that mean an app counts fully, up to
 * `none` not at all.
 */
const closest = 3
const full = 0.6
const none = 0.3
/** Minimum weight of a rival: a person chose it. */
const rival = 0.5

/** The apps that are compared. */
export interface LookedAt {
  rivals: readonly ReadTexts[]
  /** Apps that are neither the app itself nor a rival. */
  others: readonly ReadTexts[]
  /** Includes the app itself, if its listing is stored. */
  all: readonly ReadTexts[]
  /** Weight of each developer's words, 0 to 1. */
  developers: ReadonlyMap<string, number>
  /** Number of developers other than the app's own and the rivals'. */
  otherDevelopers: number
}

/** The similar apps, with weights. @param weightOf specificity of a word */
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
 * The weight of each app's words, 0 to 1: the cosine similarity of its texts with the app's own, words weighted by rarity,
 * relative to that of the closest apps. It keeps apart navigators and worlds for a game, both with "Maps" in their names.
 * Without descriptions nothing can be compared, and all apps count fully.
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

/** The distinct words of an app's texts, and their length as a vector. */
function read(
  { name, subtitle, description }: ReadTexts,
  weightOf: (word: string) => number,
): [ReadonlySet<string>, number] {
  const words = new Set([...name, ...subtitle, ...description].map(({ key }) => key))
  let squares = 0
  for (const word of words) squares += weightOf(word) ** 2
  return [words, Math.sqrt(squares)]
}
