import type { SampleApp } from './app.ts'
import { dayText, firstDay, lastDay, type Span, timeText } from './calendar.ts'
import { dice } from './dice.ts'
import { type SampleCountry, type SampleDocument, sampleCountries } from './document.ts'
import { isListed, priceStepOn } from './listing.ts'
import { popularityIn } from './popularity.ts'
import { legacyFeed } from './rss-legacy.ts'
import { feedV2 } from './rss-v2.ts'

export type SampleChart = {
  readonly kind: 'top-free' | 'top-paid' | 'top-grossing'
  /** 36 is the whole store. */
  readonly genreId: string
  /** The newer feed has neither grossing charts nor genres. */
  readonly feed: 'v2' | 'legacy'
}

export const sampleChartList: readonly SampleChart[] = [
  { kind: 'top-free', genreId: '36', feed: 'v2' },
  { kind: 'top-paid', genreId: '36', feed: 'v2' },
  { kind: 'top-grossing', genreId: '36', feed: 'legacy' },
  { kind: 'top-free', genreId: '6014', feed: 'legacy' },
  { kind: 'top-free', genreId: '6015', feed: 'legacy' },
]

/** Maximum entries of both feeds. */
const bound = 100

/** A storefront's charts day by day, oldest first, except for the days on which the collector was down. */
export function* sampleCharts(
  apps: readonly SampleApp[],
  span: Span,
  charts: readonly SampleChart[] = sampleChartList,
  storefronts: readonly SampleCountry[] = sampleCountries,
): Generator<SampleDocument> {
  const countries = storefronts.map((country) => ({
    country,
    popularity: popularityIn(apps, country, span),
    down: new Set(collectorDownDays(country, span)),
    fate: dice(span.seed, 'chart-length', country),
  }))
  for (let day = firstDay(span); day <= lastDay(span); day++) {
    for (const { country, popularity, down, fate } of countries) {
      if (down.has(dayText(day))) continue
      const ranked = apps
        .filter((app) => app.releasedDay < day && isListed(app, country, day))
        .map((app) => ({ app, popularity: popularity(app, day) }))
        .sort((a, b) => b.popularity - a.popularity)
      for (const chart of charts) {
        const eligible = chartOrder(chart, ranked, day)
        // Apple sometimes returns a few entries fewer than the hundred requested.
        const length = fate.chance(0.03) ? fate.between(95, 99) : bound
        yield chartDocument(chart, charts.indexOf(chart), eligible.slice(0, length), country, day)
      }
    }
  }
}

/** Two or three days, as `YYYY-MM-DD`, on which nothing was collected for this storefront. */
export function collectorDownDays(country: SampleCountry, span: Span): string[] {
  const fate = dice(span.seed, 'collector-down', country)
  const inner = lastDay(span) - firstDay(span) - 9
  const days = Array.from({ length: Math.max(0, inner) }, (_, at) => firstDay(span) + 5 + at)
  return fate
    .some(days, fate.between(2, 3))
    .sort((a, b) => a - b)
    .map(dayText)
}

export type Ranked = { readonly app: SampleApp; readonly popularity: number }

/** The apps of a chart, best rank first. @param ranked most popular first */
export function chartOrder(
  chart: Pick<SampleChart, 'kind' | 'genreId'>,
  ranked: readonly Ranked[],
  day: number,
): SampleApp[] {
  const inGenre = ranked.filter(({ app }) => isOfGenre(app, chart.genreId))
  if (chart.kind === 'top-grossing') {
    return inGenre
      .filter(({ app }) => app.earning !== null)
      .sort((a, b) => b.popularity + (b.app.earning ?? 0) - a.popularity - (a.app.earning ?? 0))
      .map(({ app }) => app)
  }
  const wantsPaid = chart.kind === 'top-paid'
  return inGenre.filter(({ app }) => priceStepOn(app, day) > 0 === wantsPaid).map(({ app }) => app)
}

/** Charts of a genre show apps whose first genre it is; kinds of games are never first. */
const isOfGenre = ({ genreIds }: SampleApp, genreId: string) =>
  genreId === '36' || genreIds[0] === genreId || (genreId.startsWith('7') && genreIds.includes(genreId))

function chartDocument(
  chart: SampleChart,
  place: number,
  apps: readonly SampleApp[],
  country: SampleCountry,
  day: number,
): SampleDocument {
  const asked = { country, day, limit: bound, ...chart }
  const scope = chart.genreId === '36' ? 'all' : chart.genreId
  return {
    kind: 'charts',
    format: chart.feed === 'v2' ? 'apple-rss-v2' : 'apple-rss-legacy',
    fileName: `chart-${country}-${chart.kind}-${scope}-${dayText(day)}.json`,
    country,
    observedAt: timeText(day, 10 * 3600 + sampleCountries.indexOf(country) * 60 + place * 5),
    content: JSON.stringify(chart.feed === 'v2' ? feedV2(apps, asked) : legacyFeed(apps, asked)),
  }
}
