import type { World } from './world.ts'

export interface Tracked {
  appId: string
  /** Ids of the keywords by term. */
  keywords: Map<string, string>
}

/** Tracks an app with keywords. */
export async function track(
  world: World,
  storeId: number,
  terms: readonly string[] = [],
  { country = 'us', role = 'own' } = {},
): Promise<Tracked> {
  const { appId } = (await world.call('track_aso_app', { app: String(storeId), country, role })).body
  if (terms.length === 0) return { appId, keywords: new Map() }
  const { added } = (await world.call('add_aso_keywords', { appId, terms })).body
  const ids = added.map(({ keyword }: { keyword: { term: string; keywordId: string } }) => [
    keyword.term,
    keyword.keywordId,
  ])
  return { appId, keywords: new Map(ids) }
}
