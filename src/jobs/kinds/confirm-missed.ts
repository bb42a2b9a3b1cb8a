import { dueMissedLookups, performMissedLookup } from '../collecting/confirm-missed.ts'
import { storefrontJob } from '../job-kind.ts'

export const confirmMissedJob = storefrontJob({
  name: 'confirm-missed',
  does: 'looks up tracked apps again that a storefront did not list, and in a few others',
  rulesOf: ({ apps }) => apps,
  dueIn: async (db, _rules, now) => (await dueMissedLookups(db, now)).map(({ country }) => country),
  async ask({ db, collector }, country, _rules, signal) {
    const asked = { apps: 0, listed: 0 }
    for (const lookup of await dueMissedLookups(db, new Date(), country)) {
      asked.apps += lookup.storeIds.length
      asked.listed += await performMissedLookup(db, collector, lookup, signal)
    }
    return asked
  },
})
