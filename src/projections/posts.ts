import { storeListedHandles } from '../domain/organic/handles.ts'
import { storePosts } from '../domain/organic/store-posts.ts'
import { catalogue, sightingsIn } from './catalogue.ts'
import { defineProjection } from './projection.ts'

/** Organic posts, their metrics, and the accounts of each app, which listings also state. */
export const posts = defineProjection({
  summary: 'organic posts, their figures, links and known accounts',
  tables: [
    'posts',
    'post_metrics',
    'post_authors',
    'post_grounds',
    'post_mentions',
    'known_handles',
    'post_search',
    'post_sort_keys',
  ],
  formats: ['organic-posts', ...catalogue.formats],
  restsOn: [],
  parse: (one) => [{ reading: one.reading, listed: sightingsIn(one), posts: one.parsed.posts ?? [] }],
  project: async (db, parts) => {
    const listed = await storeListedHandles(
      db,
      parts.flatMap((part) => part.listed),
    )
    return [...listed, ...(await storePosts(db, parts))]
  },
  settle: null,
  withdraw: null,
  fulfils: {
    // Posts have no storefront. The apps they belong to are known once they are stored.
    organic: (_, linkedApps: readonly string[]) => [{ country: null, storeIds: linkedApps }],
  },
  exportedAs: 'organic',
})
