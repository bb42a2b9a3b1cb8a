import type { Tool } from '../../src/contract/contract.ts'
import { argumentsOf, type Call, callsAbout, reads, varied } from './reads.ts'
import type { World } from './world.ts'

/** Fields created on arrival or on request, or of the work under way, which say nothing about what was observed. */
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
  'foundAt',
  'computedAt',
  'createdAt',
  'startedAt',
  'finishedAt',
  'nextCursor',
  'collecting',
])

/** A reply as text, without the fields created on arrival. */
export const withoutArrival = (reply: unknown) =>
  JSON.stringify(reply, (name, value) => (madeOnArrival.has(name) ? undefined : value), 1)

/** What reads are asked about. */
export interface About {
  countries: readonly string[]
  storeIds: readonly string[]
  terms: readonly string[]
  texts: readonly string[]
  categoryIds: readonly string[]
}

/** Maximum pages of a list. */
const pagesFollowed = 4

/** The replies of every read that is of no account's own things, by call; posts and ads are those that earlier reads listed. */
export async function readReplies(world: World, about: About): Promise<Map<string, string>> {
  const replies = new Map<string, string>()
  const found = { postId: new Map<string, Call>(), archiveId: new Map<string, Call>() }
  const ask = async (tool: Tool, input: object, page = 1, cursor?: string): Promise<string | null> => {
    const { status, body } = await world.call<Tool>(tool, { ...input, ...(cursor ? { cursor } : {}) })
    replies.set(`${tool} ${JSON.stringify(input)} page ${page}`, `${status} ${withoutArrival(body)}`)
    const { items = [], nextCursor = null } = body as Listed
    for (const { postId, archiveId, platform } of items) {
      if (postId) found.postId.set(postId, { postId })
      else if (archiveId) found.archiveId.set(archiveId, { platform, archiveId })
    }
    return nextCursor
  }
  const each = (name: string, values: readonly unknown[]) => values.map((value) => ({ [name]: value }))
  for (const [tool] of reads) {
    const { takes, words, largest } = argumentsOf(tool)
    const calls = callsAbout(tool, {
      storeId: each('storeId', about.storeIds),
      query: each('query', about.terms),
      postId: [...found.postId.values()].slice(0, 20),
      archiveId: [...found.archiveId.values()].slice(0, 60),
      ...{ appId: [], rivalStoreId: [], runId: [] },
    })
    const ways = [
      ...each('sort', words('sort')),
      ...(takes('q') ? each('q', about.texts) : []),
      ...(takes('categoryId') ? each('categoryId', about.categoryIds) : []),
    ]
    const countries = takes('country') ? each('country', about.countries) : []
    const asked = [countries, each('chart', words('chart')), ways].reduce(varied, calls)
    for (const call of asked) {
      const input = takes('limit') ? { ...call, limit: Math.min(largest('limit') ?? 50, 100) } : call
      let cursor = await ask(tool, input)
      for (let page = 2; page <= pagesFollowed && cursor !== null; page++)
        cursor = await ask(tool, input, page, cursor)
    }
  }
  return replies
}

interface Listed {
  items?: readonly { postId?: string; archiveId?: string; platform?: string }[]
  nextCursor?: string | null
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
