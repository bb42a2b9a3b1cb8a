import type { Tool } from '../../src/contract/contract.ts'
import type { Answer, Input, Item, Reply, World } from './world.ts'

/** Fields created on arrival or on request, which say nothing about what was observed. */
const madeOnArrival = new Set([
  'readingId',
  'requestId',
  'workId',
  'runId',
  'appId',
  'keywordId',
  'intake',
  'addedAt',
  'trackedAt',
  'discoveredAt',
  'computedAt',
  'createdAt',
  'startedAt',
  'finishedAt',
  'nextCursor',
])

/** A reply as text, without the fields created on arrival. */
export const withoutArrival = (reply: unknown) =>
  JSON.stringify(reply, (name, value) => (madeOnArrival.has(name) ? undefined : value), 1)

/** The subjects of the read operations. */
export interface Subjects {
  countries: readonly string[]
  storeIds: readonly string[]
  terms: readonly string[]
  texts: readonly string[]
  categoryIds: readonly string[]
}

/** Maximum pages of a list. */
const pagesFollowed = 4

type Search = 'search_competitors' | 'search_organic_content' | 'search_paid_ads'

/** The replies of the read operations, by call. */
export async function readReplies(world: World, about: Subjects): Promise<Map<string, string>> {
  const replies = new Map<string, string>()
  const ask = async (tool: Tool, input: Record<string, unknown> = {}) => {
    const { status, body } = await world.call(tool, input)
    replies.set(`${tool} ${JSON.stringify(input)}`, `${status} ${withoutArrival(body)}`)
    return body
  }
  const walk = async <T extends Search>(tool: T, input: Input<T> = {}) => {
    const items: Item<T>[] = []
    let cursor: string | null = null
    for (let page = 0; page < pagesFollowed; page++) {
      const { status, body }: Reply<Answer<Search>> = await world.call<Search>(tool, {
        ...input,
        ...(cursor ? { cursor } : {}),
      })
      replies.set(`${tool} ${JSON.stringify(input)} page ${page + 1}`, `${status} ${withoutArrival(body)}`)
      if (status !== 200) break
      items.push(...(body.items as object as Item<T>[]))
      cursor = body.nextCursor
      if (cursor === null) break
    }
    return items
  }
  for (const country of about.countries) {
    await ask('list_competitor_categories', { country })
    for (const sort of ['rating-count', 'rating', 'released', 'updated', 'name'])
      await walk('search_competitors', { country, sort, limit: 50 })
    for (const q of about.texts) await walk('search_competitors', { country, q, limit: 50 })
    for (const storeId of about.storeIds) {
      const app = { platform: 'ios', storeId, country }
      for (const tool of [
        'get_competitor',
        'get_similar_competitors',
        'get_competitor_aso',
        'get_competitor_media',
      ] as const)
        await ask(tool, app)
      await ask('get_apple_chart_history', { storeId, country })
    }
    for (const query of about.terms) await ask('explore_aso_keyword', { query, country })
    for (const categoryId of about.categoryIds)
      for (const chart of ['top-free', 'top-paid'])
        await ask('get_apple_charts', { country, categoryId, chart, limit: 100 })
  }
  for (const storeId of about.storeIds) await ask('get_competitor_organic', { platform: 'ios', storeId })
  for (const sort of ['recent', 'views', 'engagement', 'outlier'])
    for (const post of (await walk('search_organic_content', { sort, limit: 50 })).slice(0, 5))
      await ask('get_organic_content', { postId: post.postId })
  for (const q of about.texts) {
    await walk('search_organic_content', { q })
    await walk('search_paid_ads', { q })
    await ask('admin_search_paid_ad_advertisers', { platform: 'meta', q })
  }
  for (const sort of ['recent', 'longest-running', 'last-observed'])
    for (const ad of (await walk('search_paid_ads', { sort, limit: 50 })).slice(0, 20))
      await ask('get_paid_ad', { platform: ad.platform, archiveId: ad.archiveId })
  return replies
}

/** Where two sets of replies differ: the call, and the first line that differs. */
export function differences(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((call) => {
    const [lines, others] = [one, other].map((replies) => (replies.get(call) ?? 'no reply').split('\n'))
    const at = lines?.findIndex((line, index) => line !== others?.[index]) ?? -1
    return at === -1 && lines?.length === others?.length
      ? []
      : [`${call} line ${at}: ${lines?.[at]} / ${others?.[at]}`]
  })
}
