import type { OperatorCommand } from './command-row.ts'

/** Summaries of groups of commands, by their first word. */
export const commandGroups: Readonly<Record<string, string>> = {
  collect: 'collect from Apple once, now, within the configured rate limits; the schedule does it regularly',
  import: 'import files: plain, gzip or zstd, directories, or - for standard input',
  export: 'export posts, ads, charts, the catalogue and result pages to files, optionally with stored media',
  keys: 'create, list and revoke API keys, and make links that sign in with one',
  accounts: 'list accounts, and limit them',
  requests: 'manage open data requests of accounts',
  evidence: 'manage what accounts imported themselves: ad records and links',
  posts: 'link posts to apps by hand',
  handles: 'declare the social accounts of apps',
  watches: 'watch ranks, listings, ads and sources for an account',
  ways: 'tell accounts of what they watch: webhooks, feeds',
  retention: 'keep evidence for as long as the configuration says: show what that removes, and remove it',
}

/**
 * All commands of the operator that use the store, in the order of the help: a summary, and the module of its row. Rows are
 * loaded on demand, so that the overview is fast.
 */
export const operatorCommands = {
  'collect charts': {
    writes: true,
    about: 'collect charts: those given, or those of the schedule',
    load: async () => (await import('./rows/collect.ts')).collectCharts,
  },
  'collect apps': {
    writes: true,
    about: 'collect app records from the Lookup API',
    load: async () => (await import('./rows/collect.ts')).collectApps,
  },
  'collect pages': {
    writes: true,
    about: 'collect App Store pages: subtitle, previews, in-app purchases, similar apps',
    load: async () => (await import('./rows/collect.ts')).collectPages,
  },
  'collect searches': {
    writes: true,
    about: 'collect result pages from the Search API',
    load: async () => (await import('./rows/collect.ts')).collectSearches,
  },
  'collect hints': {
    writes: true,
    about: 'collect the search suggestions of the App Store',
    load: async () => (await import('./rows/collect.ts')).collectHints,
  },
  sources: {
    about: 'show the health of every source by storefront: last answer, failing since, reason',
    load: async () => (await import('./rows/upkeep.ts')).sources,
  },
  'import catalogue': {
    writes: true,
    about:
      'import apps: saved responses of the iTunes Search and Lookup APIs; CSV, NDJSON or JSON with a mapping',
    load: async () => (await import('./rows/import.ts')).importCatalogue,
  },
  'import charts': {
    writes: true,
    about:
      "import charts: Apple's RSS feeds, old and new; CSV, NDJSON or JSON, with a mapping for other column names",
    load: async () => (await import('./rows/import.ts')).importCharts,
  },
  'import search-results': {
    writes: true,
    about:
      'import search results: one saved response of the iTunes Search API per file; a CSV beside them names term and storefront',
    load: async () => (await import('./rows/import.ts')).importSearchResults,
  },
  'import sales': {
    writes: true,
    about:
      "import sales of your own apps by day: App Store Connect's daily reports; CSV, NDJSON or JSON, with a mapping for other column names",
    load: async () => (await import('./rows/import.ts')).importSales,
  },
  'import organic': {
    writes: true,
    about:
      'import posts: our NDJSON, files of export organic, TikTok collectors, Reddit API, YouTube Data API, YouTube trending tables, Instagram; CSV, NDJSON or JSON with a mapping',
    load: async () => (await import('./rows/import.ts')).importOrganic,
  },
  'import paid-ads': {
    writes: true,
    about:
      'import ads: our NDJSON, files of export paid-ads, responses of the Meta Ad Library (API and web page) and of TikTok; CSV, NDJSON or JSON with a mapping',
    load: async () => (await import('./rows/import.ts')).importPaidAds,
  },
  'import saved': {
    writes: true,
    about: 'import saved items, notes and tags from export saved; import their posts and ads first',
    load: async () => (await import('./rows/import.ts')).importSaved,
  },
  'export organic': {
    about: 'export organic posts with metrics, links and evidence, for import organic',
    load: async () => (await import('./rows/export.ts')).exportOrganic,
  },
  'export paid-ads': {
    about: 'export paid ads with creatives, observations, links and evidence, for import paid-ads',
    load: async () => (await import('./rows/export.ts')).exportPaidAds,
  },
  'export saved': {
    about: 'export the saved items of an account with notes and tags, for import saved',
    load: async () => (await import('./rows/export.ts')).exportSaved,
  },
  'export charts': {
    about: 'export all stored charts, one rank per line, with the app names of that time, for import charts',
    load: async () => (await import('./rows/export.ts')).exportCharts,
  },
  'export catalogue': {
    about: 'export all evidence of apps, one stored response per line, for import catalogue',
    load: async () => (await import('./rows/export.ts')).exportCatalogue,
  },
  'export result-pages': {
    about: 'export all stored result pages and search suggestions, one per line, for import search-results',
    load: async () => (await import('./rows/export.ts')).exportResultPages,
  },
  replay: {
    writes: true,
    about: 'rebuild records from the stored payloads; the present ones are served meanwhile',
    load: async () => (await import('./rows/upkeep.ts')).replay,
  },
  'retention show': {
    about: 'show how long each kind of evidence is kept, what is stored of it, and what would be removed',
    load: async () => (await import('./rows/upkeep.ts')).showRetention,
  },
  'retention apply': {
    writes: true,
    about: 'remove what is older than the policies of the configuration say',
    load: async () => (await import('./rows/upkeep.ts')).applyRetention,
  },
  calibrate: {
    writes: true,
    about: 'fit the estimates to your own sales, and show their error before and after',
    load: async () => (await import('./rows/upkeep.ts')).calibrate,
  },
  backtest: {
    about: 'measure each score against a naive baseline, on stored data',
    load: async () => (await import('./rows/upkeep.ts')).backtest,
  },
  'keys create': {
    writes: true,
    about: 'create a key and print it, once, alone on standard output',
    load: async () => (await import('./rows/accounts.ts')).createKey,
  },
  'keys list': {
    about: 'list all keys with their state and last use',
    load: async () => (await import('./rows/accounts.ts')).listKeys,
  },
  'keys rotate': {
    about: 'replace a key: print a new one like it, once; the old one works on for a while',
    writes: true,
    load: async () => (await import('./rows/accounts.ts')).rotateKey,
  },
  'keys revoke': {
    writes: true,
    about: 'revoke a key by its id, or all keys of a name',
    load: async () => (await import('./rows/accounts.ts')).revokeKey,
  },
  'keys link': {
    writes: true,
    about: 'make a link that signs in to the web pages with a key, once, within 15 minutes',
    load: async () => (await import('./rows/accounts.ts')).linkKey,
  },
  'accounts list': {
    about: 'list accounts with what they keep and their limits',
    load: async () => (await import('./rows/accounts.ts')).listAccounts,
  },
  'accounts limit': {
    writes: true,
    about: 'limit the requests, the items and the kept media of an account',
    load: async () => (await import('./rows/accounts.ts')).limitAccount,
  },
  audit: {
    about: 'list who wrote what through which door, oldest first',
    load: async () => (await import('./rows/accounts.ts')).audit,
  },
  'requests list': {
    about: 'list open requests, most requested first, with accounts and ids',
    load: async () => (await import('./rows/accounts.ts')).listRequests,
  },
  'requests dismiss': {
    writes: true,
    about: 'dismiss an open request',
    load: async () => (await import('./rows/accounts.ts')).dismissRequest,
  },
  'evidence list': {
    about: 'list what accounts imported, newest first, with ids',
    load: async () => (await import('./rows/accounts.ts')).listEvidence,
  },
  'evidence withdraw': {
    writes: true,
    about: 'withdraw an import of ad records or a link decision, with everything derived from it',
    load: async () => (await import('./rows/accounts.ts')).withdrawEvidence,
  },
  'posts link': {
    writes: true,
    about: 'link posts to an app',
    load: async () => (await import('./rows/links.ts')).linkPosts,
  },
  'posts unlink': {
    writes: true,
    about: 'unlink posts from an app, against all other evidence',
    load: async () => (await import('./rows/links.ts')).unlinkPosts,
  },
  'posts withdraw': {
    writes: true,
    about: 'withdraw decisions, so that the other evidence counts again',
    load: async () => (await import('./rows/links.ts')).withdrawPosts,
  },
  'posts decisions': {
    about: 'list link decisions, newest first',
    load: async () => (await import('./rows/links.ts')).listPostDecisions,
  },
  'handles declare': {
    writes: true,
    about:
      'declare a social account of an app: its posts and those that mention it are linked to the app, past and future',
    load: async () => (await import('./rows/links.ts')).declareHandle,
  },
  'handles remove': {
    writes: true,
    about: 'remove a declaration, with the links derived from it',
    load: async () => (await import('./rows/links.ts')).removeHandle,
  },
  'handles list': {
    about: 'list declared accounts with their apps',
    load: async () => (await import('./rows/links.ts')).listHandles,
  },
  report: {
    about: 'write the weekly report of an account to a page or PDF that can be forwarded',
    load: async () => (await import('./rows/report.ts')).report,
  },
  watch: {
    about: 'print what is told of watches as it comes, a line each or NDJSON',
    load: async () => (await import('./rows/watches.ts')).follow,
  },
  'watches add': {
    about: 'watch something for an account: ranks, listings, releases, ads, emerging apps, sources, imports',
    writes: true,
    load: async () => (await import('./rows/watches.ts')).addWatch,
  },
  'watches list': {
    about: 'list watches with their state and how much they told',
    load: async () => (await import('./rows/watches.ts')).listWatches,
  },
  'watches remove': {
    about: 'remove a watch',
    writes: true,
    load: async () => (await import('./rows/watches.ts')).removeWatch,
  },
  'watches test': {
    about: 'send a test event by each way of an account',
    writes: true,
    load: async () => (await import('./rows/watches.ts')).testWays,
  },
  'watches times': {
    about: 'set the time zone and the quiet hours of an account',
    writes: true,
    load: async () => (await import('./rows/watches.ts')).setTimes,
  },
  'watches deliveries': {
    about: 'list what became of events by each way, newest first',
    load: async () => (await import('./rows/watches.ts')).listDeliveries,
  },
  'watches resend': {
    about: 'send dead deliveries again',
    writes: true,
    load: async () => (await import('./rows/watches.ts')).resendDeliveries,
  },
  'ways add': {
    about: 'tell an account by a webhook, by e-mail or in an Atom feed',
    writes: true,
    load: async () => (await import('./rows/watches.ts')).addWay,
  },
  'ways list': {
    about: 'list ways with what waits, is dead or fails',
    load: async () => (await import('./rows/watches.ts')).listWays,
  },
  'ways remove': {
    about: 'remove a way',
    writes: true,
    load: async () => (await import('./rows/watches.ts')).removeWay,
  },
} as const satisfies Record<string, CommandEntry>

/** A line of the table. */
export interface CommandEntry {
  about: string
  /** It may change what is stored, and leaves its events in the audit log. */
  writes?: true
  load: () => Promise<OperatorCommand>
}

export type CommandName = keyof typeof operatorCommands

/** The input of a command, before defaults are applied. */
export type InputOf<Name extends CommandName> =
  Awaited<ReturnType<(typeof operatorCommands)[Name]['load']>> extends OperatorCommand<infer Given>
    ? Given
    : never
