import { dueStorefronts, lookUpDueApps } from '../collecting/collect-due-apps.ts'
import { storefrontJob } from '../job-kind.ts'

export const collectAppsJob = storefrontJob({
  name: 'collect-apps',
  does: 'looks up the apps of one storefront that are due',
  rulesOf: ({ apps }) => apps,
  dueIn: (db, rules) => dueStorefronts(db, 'lookup', rules),
  ask: ({ db, collector }, country, rules, signal) => lookUpDueApps(db, collector, country, rules, signal),
})
