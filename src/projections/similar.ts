import { storeAppleLists } from '../domain/catalogue/similar-lists.ts'
import { defineProjection } from './projection.ts'

/** Apps that Apple shows beside others. */
export const similar = defineProjection({
  summary: 'the lists of similar apps that Apple shows',
  tables: ['apple_lists'],
  formats: ['app-page'],
  restsOn: [],
  parse: ({ reading, parsed }) => (parsed.lists ?? []).map((list) => ({ reading, ...list })),
  project: storeAppleLists,
  settle: null,
  withdraw: null,
  fulfils: {
    similar: (lists) =>
      lists
        .filter(({ kind, storeIds }) => kind === 'similar' && storeIds.length > 0)
        .map(({ country, storeId }) => ({ country, storeIds: [storeId] })),
  },
  exportedAs: 'catalogue',
})
