import type { OperatorCommand } from './command-row.ts'

/** Summaries of groups of commands, by their first word. */
export const commandGroups: Readonly<Record<string, string>> = {
  collect: 'ask Apple once, now, at the pace of the configuration; a schedule does so by itself',
  import: 'bring files into the store; gzip is unpacked, - is standard input, directories are walked',
  export: 'write posts, ads, charts, the catalogue and result pages to files, with kept media if wished',
  keys: 'make, list and end API keys',
  requests: 'what data accounts asked for',
  evidence: 'what accounts brought themselves: ad records and links',
  posts: 'decide which posts belong to an app',
  handles: 'declare the accounts apps have on networks',
}

/**
 * All commands of the operator that use the store, in the order of the help: a summary, and the module of its row. Rows are
 * loaded on demand, so that the overview is fast.
 */
export const operatorCommands = {
  'collect charts': {
    about: 'charts: those named, or those of the schedule',
    load: async () => (await import('./rows/collect.ts')).collectCharts,
  },
  'collect apps': {
    about: 'records of apps by the Lookup API',
    load: async () => (await import('./rows/collect.ts')).collectApps,
  },
  'collect pages': {
    about: 'pages of apps on the App Store: subtitle, previews, in-app purchases, similar apps',
    load: async () => (await import('./rows/collect.ts')).collectPages,
  },
  'collect searches': {
    about: 'result pages of the Search API',
    load: async () => (await import('./rows/collect.ts')).collectSearches,
  },
  'collect hints': {
    about: 'what the App Store suggests while a term is typed',
    load: async () => (await import('./rows/collect.ts')).collectHints,
  },
  sources: {
    about: 'how every source fares in every storefront: last answer, failing since when and why',
    load: async () => (await import('./rows/upkeep.ts')).sources,
  },
  'import catalogue': {
    about: 'apps: saved answers of the iTunes Search and Lookup APIs; CSV, NDJSON and JSON with a mapping',
    load: async () => (await import('./rows/import.ts')).importCatalogue,
  },
  'import charts': {
    about:
      "Apple's RSS chart feeds of any age; CSV, NDJSON and JSON lists, with a mapping where names are unusual",
    load: async () => (await import('./rows/import.ts')).importCharts,
  },
  'import search-results': {
    about: 'saved result pages of the iTunes Search API, one a file; a CSV among them says what each is of',
    load: async () => (await import('./rows/import.ts')).importSearchResults,
  },
  'import sales': {
    about:
      "your own apps' days: App Store Connect's daily sales reports; CSV, NDJSON and JSON, with a mapping where names are unusual",
    load: async () => (await import('./rows/import.ts')).importSales,
  },
  'import organic': {
    about:
      'posts: our own NDJSON, TikTok collectors, Reddit API, YouTube Data API and its trending tables, Instagram; and what export organic wrote; CSV, NDJSON and JSON with a mapping',
    load: async () => (await import('./rows/import.ts')).importOrganic,
  },
  'import paid-ads': {
    about:
      'ads: our own records, answers of the Meta Ad Library (API and web page) and of TikTok, and what export paid-ads wrote; CSV, NDJSON and JSON with a mapping',
    load: async () => (await import('./rows/import.ts')).importPaidAds,
  },
  'import saved': {
    about: 'what an account saved, with notes and tags, as export saved wrote it; its posts and ads first',
    load: async () => (await import('./rows/import.ts')).importSaved,
  },
  'export organic': {
    about: 'organic posts with their figures, links and evidence; import organic reads it again',
    load: async () => (await import('./rows/export.ts')).exportOrganic,
  },
  'export paid-ads': {
    about: 'paid ads with their creatives, observations, links and evidence; import paid-ads reads it again',
    load: async () => (await import('./rows/export.ts')).exportPaidAds,
  },
  'export saved': {
    about: 'what an account saved of both, with its notes and tags; import saved puts it back',
    load: async () => (await import('./rows/export.ts')).exportSaved,
  },
  'export charts': {
    about: 'all stored charts, a place a line, with the names apps had then; import charts reads it again',
    load: async () => (await import('./rows/export.ts')).exportCharts,
  },
  'export catalogue': {
    about:
      'all that was read of apps, a kept answer or piece of a table a line, charts and result pages too; import catalogue reads it again',
    load: async () => (await import('./rows/export.ts')).exportCatalogue,
  },
  'export result-pages': {
    about: 'all kept result pages and search hints, one a line; import search-results reads it again',
    load: async () => (await import('./rows/export.ts')).exportResultPages,
  },
  replay: {
    about: 'derive records anew from all stored payloads, while those that are there are served on',
    load: async () => (await import('./rows/upkeep.ts')).replay,
  },
  calibrate: {
    about: 'fit the estimates to your own sales, and tell their error before and after',
    load: async () => (await import('./rows/upkeep.ts')).calibrate,
  },
  backtest: {
    about: 'tell how well each score does against a naive baseline, on what is stored',
    load: async () => (await import('./rows/upkeep.ts')).backtest,
  },
  'keys create': {
    about: 'make a key and print it, this once, alone on standard output',
    load: async () => (await import('./rows/accounts.ts')).createKey,
  },
  'keys list': {
    about: 'list all keys with their state and last use',
    load: async () => (await import('./rows/accounts.ts')).listKeys,
  },
  'keys revoke': {
    about: 'end a key by its id, or all keys of a name',
    load: async () => (await import('./rows/accounts.ts')).revokeKey,
  },
  'requests list': {
    about: 'list what is wanted, most wanted first, with who asked and the ids of their requests',
    load: async () => (await import('./rows/accounts.ts')).listRequests,
  },
  'requests dismiss': {
    about: 'end an open request without its data',
    load: async () => (await import('./rows/accounts.ts')).dismissRequest,
  },
  'evidence list': {
    about: 'list what accounts brought, newest first, with the ids to withdraw it by',
    load: async () => (await import('./rows/accounts.ts')).listEvidence,
  },
  'evidence withdraw': {
    about: 'take back an import of ad records or a decision about links, with all that followed from it',
    load: async () => (await import('./rows/accounts.ts')).withdrawEvidence,
  },
  'posts link': {
    about: 'decide that posts belong to an app',
    load: async () => (await import('./rows/links.ts')).linkPosts,
  },
  'posts unlink': {
    about: 'decide that posts do not belong to an app, whatever they or their authors show',
    load: async () => (await import('./rows/links.ts')).unlinkPosts,
  },
  'posts withdraw': {
    about: 'take back what was decided: what posts and their authors show counts again',
    load: async () => (await import('./rows/links.ts')).withdrawPosts,
  },
  'posts decisions': {
    about: 'list what is decided about posts, newest first',
    load: async () => (await import('./rows/links.ts')).listPostDecisions,
  },
  'handles declare': {
    about:
      'declare an account to be an app’s: its posts, and those that name it, belong to the app, stored or yet to come',
    load: async () => (await import('./rows/links.ts')).declareHandle,
  },
  'handles remove': {
    about: 'take a declaration back, with the links that follow from it',
    load: async () => (await import('./rows/links.ts')).removeHandle,
  },
  'handles list': {
    about: 'list the declared accounts with their apps',
    load: async () => (await import('./rows/links.ts')).listHandles,
  },
} as const satisfies Record<string, CommandEntry>

/** A line of the table. */
export interface CommandEntry {
  about: string
  load: () => Promise<OperatorCommand>
}

export type CommandName = keyof typeof operatorCommands

/** The input of a command, before defaults are applied. */
export type InputOf<Name extends CommandName> =
  Awaited<ReturnType<(typeof operatorCommands)[Name]['load']>> extends OperatorCommand<infer Given>
    ? Given
    : never
