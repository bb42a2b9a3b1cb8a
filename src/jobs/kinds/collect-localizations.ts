import { dueLocalizations, readDueLocalizations } from '../collecting/collect-localizations.ts'
import { storefrontJob } from '../job-kind.ts'

export const collectLocalizationsJob = storefrontJob({
  name: 'collect-localizations',
  does: 'reads the pages of the tracked apps of one storefront in its other languages, where they are due',
  rulesOf: ({ localizations }) => localizations,
  dueIn: async (db, rules) => (await dueLocalizations(db, rules)).map(({ country }) => country),
  ask: ({ db, collector }, country, rules, signal) =>
    readDueLocalizations(db, collector, country, rules, signal),
})
