import type { SampleApp } from './app.ts'
import { lastDay, type Span, timeText } from './calendar.ts'
import { type SamplePage, sampleHost } from './document.ts'
import { nameOn } from './listing.ts'

/** The app whose pages show events, which is that of the examples. */
const storeId = 9_000_000_001

/** Days before the last on which its page was looked at. */
const looks = [24, 3]

/** Events by their days before the last; negative is after it. The one in the middle is taken down before its end. */
const events = [
  { name: 'Bubble Parade', from: 32, to: 18 },
  { name: 'Pop Marathon', from: 26, to: -4 },
  { name: 'Winter Bubbles', from: -2, to: -16 },
]
const takenDown = 1

/** Pages of one app in the American storefront, with its tags and the events that it showed then. */
export function* sampleEvents(apps: readonly SampleApp[], span: Span): Generator<SamplePage> {
  const app = apps.find((one) => one.storeId === storeId)
  if (!app) return
  for (const [at, back] of looks.entries()) {
    const day = lastDay(span) - back
    const shown = events.filter(
      ({ from, to }, index) => from > back - 14 && to < back && !(at > 0 && index === takenDown),
    )
    yield {
      kind: 'catalogue',
      format: 'app-page',
      fileName: `page-us-${storeId}-${back}.html`,
      country: 'us',
      observedAt: timeText(day, 6 * 3600),
      content: pageOf(
        app,
        day,
        shown.map((event) => eventOf(event, lastDay(span))),
      ),
      storeId: String(storeId),
    }
  }
}

function eventOf({ name, from, to }: (typeof events)[number], last: number) {
  return {
    promotionType: 'appEvent',
    appEventId: String(storeId + from + 100),
    title: name,
    kind: 'Challenge',
    subtitle: 'Pop them all, with everybody',
    startDate: timeText(last - from, 20 * 3600),
    endDate: timeText(last - to, 6 * 3600),
    moduleArtwork: {
      template: `${sampleHost}/apps/${storeId}/event/{w}x{h}{c}.{f}`,
      width: 1920,
      height: 1080,
    },
  }
}

function pageOf(app: SampleApp, day: number, items: readonly unknown[]): string {
  const tags = ['Bubbles', 'Puzzle', 'Family'].map((title) => ({ title }))
  const data = {
    lockup: { adamId: String(storeId), title: nameOn(app, 'us', day) },
    shelfMapping: {
      description: { items: [{ paragraph: { text: app.descriptions.us }, tags }] },
      appEvents: { contentType: 'appPromotion', items },
    },
  }
  const page = JSON.stringify({ data: [{ intent: { id: String(storeId) }, data }] }).replaceAll('<', '\\u003c')
  return `<!DOCTYPE html><html lang="en-US"><body><script type="application/json" id="serialized-server-data">${page}</script></body></html>`
}
