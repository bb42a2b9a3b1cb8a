import type { SampleApp } from './app.ts'
import { lastDay, type Span, timeText } from './calendar.ts'
import type { SamplePage } from './document.ts'
import { nameOn } from './listing.ts'
import localized from './words/localized.json' with { type: 'json' }

interface Texts {
  name: string
  subtitle: string | null
  description: string
}

/**
 * Pages of two budget planners in other languages of the American storefront, a week old. For a language that an app lacks, the store
 * answers with the texts of its default.
 */
export function* sampleLocalizations(apps: readonly SampleApp[], span: Span): Generator<SamplePage> {
  const day = lastDay(span) - 7
  for (const [storeId, byLanguage] of Object.entries<Record<string, Texts | null>>(localized)) {
    const app = apps.find((one) => String(one.storeId) === storeId)
    if (!app) continue
    const own = { name: nameOn(app, 'us', day), subtitle: null, description: app.descriptions.us }
    for (const [at, [language, texts]] of Object.entries(byLanguage).entries())
      yield {
        kind: 'catalogue',
        format: 'app-page',
        fileName: `page-us-${storeId}-${language}.html`,
        country: 'us',
        observedAt: timeText(day, 6 * 3600 + at * 60),
        content: pageOf(storeId, language, texts ?? own),
        storeId,
        language,
      }
  }
}

function pageOf(storeId: string, language: string, { name, subtitle, description }: Texts): string {
  const data = {
    lockup: { adamId: storeId, title: name, ...(subtitle === null ? {} : { subtitle }) },
    shelfMapping: { description: { items: [{ paragraph: { text: description } }] } },
  }
  const page = JSON.stringify({ data: [{ intent: { id: storeId }, data }] }).replaceAll('<', '\\u003c')
  return `<!DOCTYPE html><html lang="${language}"><body><script type="application/json" id="serialized-server-data">${page}</script></body></html>`
}
