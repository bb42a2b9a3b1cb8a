import { shown, valueAt } from '../../ingest/mapping/mapping.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import type { RankToolName } from '../../vocabulary/keyword-rank-tools.ts'
import type { RankValues } from './keyword-rank-values.ts'

/** A saved answer of a tool's API, as ranks by our fields. */
interface RankAnswer {
  tool: RankToolName
  ranks: RankValues[]
}

type Reader = (document: unknown) => RankValues[] | undefined

/** How the answers of each tool are read; undefined for what is not one of it. */
const readers: Partial<Record<RankToolName, Reader>> = {
  /** `result` by app and keyword; a point of `rank` says whether the tool looked. */
  apptweak(document) {
    const points = entriesOf(valueAt(document, 'result')).flatMap(([storeId, keywords]) =>
      entriesOf(keywords).flatMap(([term, metrics]) => {
        const series = valueAt(metrics, 'rank')
        return (Array.isArray(series) ? series : []).map((point) => ({ storeId, term, point }))
      }),
    )
    if (points.length === 0 || !points.every(({ point }) => valueAt(point, 'fetch_performed') !== undefined))
      return undefined
    return points.map(({ storeId, term, point }) => ({
      storeId,
      term,
      day: valueAt(point, 'date'),
      rank: valueAt(point, 'value') ?? (valueAt(point, 'fetch_performed') === true ? '501' : null),
    }))
  },

  /** `data` names the app; `results.stats` are days, or keywords with their days. */
  asodesk(document) {
    const stats = valueAt(document, 'data.results.stats')
    const store = valueAt(document, 'data.storetype')
    if (store === undefined || !isObject(stats)) return undefined
    if (store !== 'appstore')
      throw new UnfitPayload(`an answer about ${shown(store).slice(0, 40)}, not about the App Store`)
    const around = { storeId: valueAt(document, 'data.storeid'), country: valueAt(document, 'data.country') }
    const daysOf = (term: unknown, days: unknown) =>
      entriesOf(days).map(([day, told]) => ({ ...around, term, day, rank: valueAt(told, 'rank') ?? null }))
    const isSingle = Object.values(stats).every((one) => valueAt(one, 'rank') !== undefined)
    return isSingle
      ? daysOf(valueAt(document, 'data.query'), stats)
      : Object.entries(stats).flatMap(([term, days]) => daysOf(term, days))
  },

  /** `data.requestParam` repeats what was asked; `data.result` has a series for each keyword. */
  foxdata(document) {
    const asked = valueAt(document, 'data.requestParam')
    const result = valueAt(document, 'data.result')
    if (!isObject(asked) || !Array.isArray(result)) return undefined
    return result.flatMap((one) => {
      const series = valueAt(one, 'rank')
      return (Array.isArray(series) ? series : []).map((point) => ({
        storeId: valueAt(asked, 'appId'),
        country: valueAt(asked, 'region'),
        device: valueAt(asked, 'device') ?? undefined,
        term: valueAt(one, 'keyword'),
        day: valueAt(point, 'date'),
        rank: valueAt(point, 'value') ?? null,
      }))
    })
  },

  /** The history of one keyword, or the newest rank of one among many. */
  krankie(document) {
    const history = valueAt(document, 'history')
    const keyword = valueAt(document, 'keyword')
    const around = (one: unknown) => {
      const platform = valueAt(one, 'platform')
      return {
        storeId: valueAt(one, 'app_store_id'),
        country: valueAt(one, 'store'),
        term: valueAt(one, 'keyword'),
        ...(platform === 'iphone' || platform === 'ipad' ? { device: platform } : {}),
      }
    }
    if (Array.isArray(history) && valueAt(keyword, 'app_store_id') !== undefined)
      return history.map((one) => ({
        ...around(keyword),
        day: valueAt(one, 'checked_at'),
        rank: valueAt(one, 'rank') ?? null,
      }))
    const isNewest = ['keyword_id', 'app_store_id', 'current_rank', 'rank_change'].every(
      (name) => valueAt(document, name) !== undefined,
    )
    if (!isNewest) return undefined
    return [
      {
        ...around(document),
        day: valueAt(document, 'checked_at'),
        rank: valueAt(document, 'current_rank') ?? null,
      },
    ]
  },

  /** The keywords of one app on one day; what was asked stands in the address alone. */
  appfollow(document) {
    const list = valueAt(document, 'keywords.list')
    if (!Array.isArray(list) || !list.every((one) => valueAt(one, 'kw') !== undefined)) return undefined
    return list.map((one) =>
      withoutUndefined({
        term: valueAt(one, 'kw'),
        day: valueAt(one, 'date'),
        country: valueAt(one, 'country'),
        device: valueAt(one, 'device'),
        rank: valueAt(one, 'pos') ?? null,
      }),
    )
  },
}

/** The ranks of a saved answer of a tool's API; undefined for anything else. @throws UnfitPayload for one about another store */
export function rankAnswer(document: unknown): RankAnswer | undefined {
  if (!isObject(document)) return undefined
  for (const [tool, read] of Object.entries(readers) as [RankToolName, Reader][]) {
    const ranks = read(document)
    if (ranks) return { tool, ranks }
  }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

const withoutUndefined = (values: RankValues): RankValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
