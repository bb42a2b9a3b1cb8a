import { fold } from './search-terms.ts'

/** English words that are always capitalised, besides those that `Intl` knows. */
const moreEnglish =
  'christmas xmas halloween easter thanksgiving valentine valentines ramadan bible quran christian catholic muslim islamic jewish hindu buddhist american british european asian african bluetooth wifi wi fi internet web english'.split(
    ' ',
  )

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const codes = letters.flatMap((one) => letters.map((other) => one + other))
const known = new Map<string, ReadonlySet<string>>()

/** Names of languages, countries, days and months, folded: capitalised in texts, but not names of companies. */
export function properNames(language = 'en'): (word: string) => boolean {
  const before = known.get(language)
  const names = before ?? new Set([...moreEnglish, ...namesIn('en'), ...namesIn(language)].map(fold))
  known.set(language, names)
  return (word) => names.has(word)
}

/** The names of a single word. */
function* namesIn(language: string): Iterable<string> {
  const languages = new Intl.DisplayNames([language, 'en'], { type: 'language', fallback: 'none' })
  const regions = new Intl.DisplayNames([language, 'en'], { type: 'region', fallback: 'none' })
  for (const code of codes) yield* [languages.of(code) ?? '', regions.of(code.toUpperCase()) ?? '']
  const [month, day] = [{ month: 'long' }, { weekday: 'long' }] as const
  for (let index = 0; index < 12; index++) {
    // The first of January 2024 was a Monday.
    yield new Date(Date.UTC(2024, index, 1)).toLocaleDateString(language, { ...month, timeZone: 'UTC' })
    yield new Date(Date.UTC(2024, 0, 1 + index)).toLocaleDateString(language, { ...day, timeZone: 'UTC' })
  }
}
