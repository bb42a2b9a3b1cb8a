import { dueStorefronts, readDuePages } from '../collecting/collect-due-apps.ts'
import { storefrontJob } from '../job-kind.ts'

export const collectPagesJob = storefrontJob({
  name: 'collect-pages',
  does: 'reads the pages of the apps of one storefront that are due',
  rulesOf: ({ pages }) => pages,
  dueIn: (db, rules) => dueStorefronts(db, 'page', rules),
  ask: ({ db, collector }, country, rules, signal) => readDuePages(db, collector, country, rules, signal),
})
