import { mulberry32 } from '../sample/dice.ts'
import type { Tool } from '../src/contract/contract.ts'
import { latin, linkedApps } from './creative-writing.ts'
import { benchStoreId } from './generate.ts'
import { questions } from './questions.ts'

export interface Asked {
  tool: Tool
  params: Record<string, unknown>
  query: Record<string, unknown>
}

interface Size {
  apps: number
  /** Apps at the end of growth. */
  largest: number
  /** Questions of each read. */
  each: number
  /** The last day with charts, YYYY-MM-DD. */
  chartsUntil: string
}

/** What is asked at a size of the store, the same at every size as far as its apps allow. */
export function readsAt({ apps, largest, each, chartsUntil }: Size): Record<string, Asked[]> {
  const roll = mulberry32(9)
  const many = (tool: Tool, ask: () => Partial<Asked>): Asked[] =>
    Array.from({ length: each }, () => ({ tool, params: {}, query: {}, ...ask() }))
  const app = () => String(benchStoreId(Math.floor(roll() ** 2 * apps)))
  const linked = () => String(1_000_000_000 + Math.floor(roll() * Math.min(apps, linkedApps)))
  const word = (from: number, to: number) => latin.words[from + Math.floor(roll() * (to - from))] ?? ''
  const one = <T>(of: readonly T[]): T => of[Math.floor(roll() * of.length)] as T
  const ofApp = (tool: Tool) => many(tool, () => ({ params: { platform: 'ios', storeId: app() } }))
  const search = Object.groupBy(questions(largest, each), ({ kind }) => kind)
  const searches = Object.entries(search).map(([kind, some = []]) => [
    `search_competitors, ${kind}`,
    some.map(({ path }) => ({
      tool: 'search_competitors' as const,
      params: {},
      query: readQuery(new URLSearchParams(path.split('?')[1])),
    })),
  ])
  return {
    get_competitor: ofApp('get_competitor'),
    list_competitor_categories: many('list_competitor_categories', () => ({})),
    ...(Object.fromEntries(searches) as Record<string, Asked[]>),
    'search_competitors, in a chart': many('search_competitors', () => ({ query: { charting: 'yes' } })),
    get_similar_competitors: ofApp('get_similar_competitors'),
    get_competitor_organic: ofApp('get_competitor_organic'),
    get_competitor_aso: ofApp('get_competitor_aso'),
    get_competitor_media: ofApp('get_competitor_media'),
    get_competitor_estimate_history: ofApp('get_competitor_estimate_history'),
    get_apple_charts: many('get_apple_charts', () => ({ query: { country: one(['us', 'de', 'jp']) } })),
    get_apple_chart_history: many('get_apple_chart_history', () => ({
      params: { storeId: app() },
      query: { from: daysBefore(chartsUntil, 50), to: chartsUntil },
    })),
    'search_organic_content, a word': many('search_organic_content', () => ({ query: { q: word(0, 2_000) } })),
    'search_organic_content, by views in a network': many('search_organic_content', () => ({
      query: { network: [one(['tiktok', 'reddit', 'x', 'youtube'])], sort: 'views' },
    })),
    'search_organic_content, of an app': many('search_organic_content', () => ({
      query: { competitor: [linked()] },
    })),
    'search_paid_ads, a word': many('search_paid_ads', () => ({ query: { q: word(0, 2_000) } })),
    'search_paid_ads, videos that run long, newest first': many('search_paid_ads', () => ({
      query: { format: ['video'], minDaysRunning: one([7, 60, 300]), sort: 'recent' },
    })),
    'search_paid_ads, of an app': many('search_paid_ads', () => ({ query: { competitor: [linked()] } })),
    explore_aso_keyword: many('explore_aso_keyword', () => ({ params: { query: word(0, 2_000) } })),
  }
}

const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

/** Parameters of an address as the door takes them. */
function readQuery(query: URLSearchParams): Record<string, unknown> {
  const numbers = /^(?:min|limit)/
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, numbers.test(name) ? Number(value) : value]),
  )
}
