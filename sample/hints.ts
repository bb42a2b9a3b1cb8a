import type { SampleApp } from './app.ts'
import { lastDay, type Span, timeText } from './calendar.ts'
import { dice } from './dice.ts'
import type { SampleCountry, SampleSearch } from './document.ts'
import { type SampleTerms, sampleTerms } from './searches.ts'

/** Shares of a term's letters that are typed. */
const typedShares = [1 / 4, 1 / 2, 1]

/** Common additions to a term. */
const additions: Readonly<Record<SampleCountry, readonly string[]>> = {
  us: [' app', ' free', ' offline', ' for beginners', ' without ads', ' widget'],
  jp: [' アプリ', ' 無料', ' 人気'],
  de: [' app', ' kostenlos'],
}

/** Maximum number of Apple's suggestions. */
const mostSuggested = 10

/** Apple's suggestions for prefixes of the searched terms, once, on the last day. */
export function* sampleHints(
  apps: readonly SampleApp[],
  span: Span,
  searched: SampleTerms = sampleTerms,
): Generator<SampleSearch> {
  for (const { country, terms } of searched) {
    const suggested = suggestions(apps, country, terms, span)
    const typed = [...new Set(terms.flatMap((term) => beginnings(term)))]
    for (const [place, beginning] of typed.entries()) {
      yield {
        kind: 'search-hints',
        format: 'search-hints',
        fileName: `hints-${country}-${place + 1}.plist`,
        term: beginning,
        country,
        observedAt: timeText(lastDay(span), 6 * 3600 + place * 3 + (country === 'jp' ? 600 : 0)),
        content: hintsAfter(beginning, suggested),
      }
    }
  }
}

function beginnings(term: string): string[] {
  const letters = [...term]
  return typedShares.map((share) =>
    letters
      .slice(0, Math.ceil(share * letters.length))
      .join('')
      .trimEnd(),
  )
}

/** Apple's suggestions for a prefix. */
export function hintsAfter(typed: string, suggested: readonly Suggestion[]): string {
  const fitting = suggested
    .filter(({ text, after }) => text.startsWith(typed) && typed.length >= after * text.length)
    .slice(0, mostSuggested)
  return propertyList(fitting.map(({ text }) => text))
}

export interface Suggestion {
  readonly text: string
  /** The share of it that must be typed. */
  readonly after: number
}

/** Everything that can be suggested, most popular first. Some terms are never suggested. */
export function suggestions(
  apps: readonly SampleApp[],
  country: SampleCountry,
  terms: readonly string[],
  span: Span,
): Suggestion[] {
  const luck = dice(span.seed, 'hints', country)
  const wanted = new Map<string, number>()
  const want = (text: string, much: number) => wanted.set(text, Math.max(much, wanted.get(text) ?? 0))
  for (const term of terms) {
    const much = 2 + luck.roll() * 6
    if (luck.roll() > 0.1) want(term, much)
    for (const addition of luck.some(additions[country], 3)) want(term + addition, much * luck.roll())
  }
  for (const app of apps)
    if (app.storefronts.includes(country))
      want(app.names[country].toLowerCase(), (app.popularity + app.favour[country]) * luck.roll())
  return [...wanted]
    .sort(([, one], [, other]) => other - one)
    .map(([text]) => ({ text, after: 0.6 * luck.roll() }))
}

const propertyList = (terms: readonly string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>title</key><string>Suggestions</string><key>hints</key><array>
${terms.map((term) => `<dict><key>term</key><string>${escaped(term)}</string></dict>`).join('\n')}
</array></dict></plist>
`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
