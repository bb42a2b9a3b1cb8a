import { type ChartKind, chartKinds } from '../../../src/vocabulary/chart-kinds.ts'
import type { ReplyOf } from '../../api/operations.ts'
import type { Country } from '../../evidence/shapes.ts'
import { devices, overallCategory } from '../../evidence/words.ts'
import { categoryParam, oneOfParam, storeIdParam, textParam } from '../../ui/search-params.ts'

export type Snapshot = ReplyOf<'get_apple_charts'>
export type Entry = Snapshot['items'][number]
export type Device = Snapshot['device']
/** A chart by the words of its name. */
export type StoredChart = Pick<Snapshot, 'country' | 'chart' | 'categoryId' | 'categoryName' | 'device'>

/** Which chart an address is about, and the app whose line is shown beside it; what is left out is the usual. */
export interface ChartSearch {
  chart?: ChartKind
  category?: string
  device?: Device
  app?: string
  span?: LineSpan
}

/** Days of an app's line. */
export const lineSpans = ['30', '90', '365'] as const
export type LineSpan = (typeof lineSpans)[number]

export const chartParams = (search: Record<string, unknown>) => ({
  chart: oneOfParam(search.chart, chartKinds),
  category: categoryParam(search.category),
  device: oneOfParam(search.device, devices),
  app: storeIdParam(search.app),
  span: oneOfParam(textParam(search.span), lineSpans),
})

export interface Chart {
  country: Country
  chart: ChartKind
  categoryId: string
  device: Device
}

/** The chart of an address, as operations name it. */
export const chartOfSearch = (
  { chart = 'top-free', category = overallCategory, device = 'iphone' }: ChartSearch,
  country: Country,
): Chart => ({ country, chart, categoryId: category, device })
