import { mulberry32 } from '../sample/dice.ts'
import { type BenchApp, benchApps } from './generate.ts'

export interface Question {
  kind: string
  path: string
}

/** How many apps are looked at for words to ask for. */
const sampled = 20_000
const kinds = [
  'common word',
  'common in texts',
  'rare word',
  'two words',
  'prefix',
  'misspelt',
  'CJK',
  'filtered',
  'no text',
] as const

/** What people might ask a catalogue of that many generated apps: `each` questions of each kind, in mixed order. */
export function questions(apps: number, each: number): Question[] {
  const roll = mulberry32(5)
  const ask = requestersOf([...benchApps(apps).take(Math.min(apps, sampled))], roll)
  const asked = kinds.flatMap((kind) =>
    Array.from({ length: each }, () => ({ kind, path: `/v1/competitors?${new URLSearchParams(ask[kind]())}` })),
  )
  return asked
    .map((question) => ({ question, place: roll() }))
    .sort((one, other) => one.place - other.place)
    .map(({ question }) => question)
}

function requestersOf(
  apps: readonly BenchApp[],
  roll: () => number,
): Record<(typeof kinds)[number], () => Record<string, string>> {
  const one = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T
  const latin = apps.filter((app) => /^[\x20-\x7e]+$/.test(app.trackName))
  const cjk = apps.filter((app) => !/[\x20-\x7e]/.test(app.trackName))
  const inNames = byFrequency(latin.map((app) => app.trackName))
  const inTexts = byFrequency(latin.map((app) => app.description)).slice(0, 40)
  const common = inNames.slice(0, 60)
  const rare = inNames.slice(Math.floor(inNames.length / 2))
  const long = inNames.filter((word) => word.length >= 5)
  const filters = [
    () => ({ categoryId: String(one(latin).primaryGenreId) }),
    () => ({ price: one(['free', 'paid']) }),
    () => ({ minRating: '4.5' }),
    () => ({ minRatingCount: one(['100', '10000']) }),
    () => ({ categoryId: String(one(latin).primaryGenreId), price: 'paid', minRating: '4' }),
    () => ({ releasedFrom: '2024-01-01' }),
  ]
  return {
    'common word': () => ({ q: one(common) }),
    'common in texts': () => ({ q: one(inTexts) }),
    'rare word': () => ({ q: one(rare) }),
    'two words': () => ({
      q: roll() < 0.5 ? `${one(common)} ${one(common)}` : one(latin).trackName.split(' ').slice(0, 2).join(' '),
    }),
    prefix: () => {
      const word = one(inNames)
      return { q: word.slice(0, Math.max(2, Math.floor(word.length * 0.6))) }
    },
    misspelt: () => ({ q: misspell(one(long), roll) }),
    CJK: () => {
      const name = [...one(cjk).trackName]
      const start = Math.floor(roll() * Math.max(1, name.length - 2))
      return { q: name.slice(start, start + 2 + Math.floor(roll() * 2)).join('') }
    },
    filtered: () => ({ q: one(common), ...one(filters)() }),
    'no text': () => ({
      ...one(filters)(),
      sort: one(['relevance', 'rating-count', 'rating', 'released', 'updated', 'name']),
    }),
  }
}

function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].sort((one, other) => other[1] - one[1]).map(([word]) => word)
}

/** One letter left out, doubled, or changed places with the next. */
function misspell(word: string, roll: () => number): string {
  const at = 1 + Math.floor(roll() * (word.length - 2))
  const slip = Math.floor(roll() * 3)
  if (slip === 0) return word.slice(0, at) + word.slice(at + 1)
  if (slip === 1) return word.slice(0, at) + word.charAt(at) + word.slice(at)
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}
