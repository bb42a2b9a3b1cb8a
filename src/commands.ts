import type { OperatorCommand } from './operator/command.ts'
import { postForms } from './vocabulary/networks.ts'

/** The files of commands, loaded on demand. */
const accounts = async () => (await import('./operator/accounts.ts')).accountCommands
const collect = async () => (await import('./operator/collect.ts')).collectCommands
const evidence = async () => (await import('./operator/evidence.ts')).evidenceCommands
const exports = async () => (await import('./operator/exports.ts')).exportCommands
const files = async () => (await import('./import-files.ts')).importFiles
const imports = async () => (await import('./operator/imports.ts')).importCommands
const keys = async () => (await import('./operator/keys.ts')).keyCommands
const links = async () => (await import('./operator/links.ts')).linkCommands
const reports = async () => (await import('./operator/report.ts')).reportCommands
const requests = async () => (await import('./operator/requests.ts')).requestCommands
const retention = async () => (await import('./operator/retention.ts')).retentionCommands
const service = async () => (await import('./service.ts')).serviceCommands
const store = async () => (await import('./store-commands.ts')).storeCommands
const upkeep = async () => (await import('./operator/upkeep.ts')).upkeepCommands
const watches = async () => (await import('./operator/watches.ts')).watchCommands
const channels = async () => (await import('./operator/channels.ts')).channelCommands

/** The files of commands, by the first words of their commands. */
const rowsOf: Readonly<Record<string, () => Promise<Readonly<Record<string, OperatorCommand>>>>> = {
  accounts,
  audit: accounts,
  backtest: upkeep,
  backup: store,
  calibrate: upkeep,
  collect,
  demo: service,
  doctor: store,
  evidence,
  export: exports,
  handles: links,
  import: async () => ({ ...(await imports()), ...(await files()) }),
  keys,
  migrate: store,
  move: store,
  posts: links,
  replay: upkeep,
  report: reports,
  requests,
  restore: store,
  retention,
  serve: service,
  sources: upkeep,
  watch: watches,
  watches: async () => ({ ...(await watches()), ...(await channels()) }),
  channels,
  work: service,
}

/** The row of a command. What its handler needs is loaded when it is run: that takes longer than most commands. */
export async function loadCommand(name: string): Promise<OperatorCommand> {
  const [first = ''] = name.split(' ')
  const row = (await rowsOf[first]?.())?.[name]
  if (!row) throw new Error(`there is no row for ${name}`)
  return row
}

/** Summaries of groups of commands, by their first word. */
const groups: Readonly<Record<string, string>> = {
  collect: 'collect from Apple once, now, within the configured rate limits; the schedule does it regularly',
  import:
    'import files of any kind: plain, gzip or zstd, directories; of a named kind also - for standard input',
  export: 'export posts, ads, charts, the catalogue and result pages to files, optionally with stored media',
  keys: 'create, list and revoke API keys, and make links that sign in with one',
  accounts: 'list accounts, limit them, and choose the surface of their ranks',
  requests: 'manage open data requests of accounts',
  evidence: 'manage what accounts imported themselves: ad records and links',
  posts: 'link posts to apps by hand',
  handles: 'declare the social accounts of apps',
  watches: 'watch ranks, listings, ads and sources for an account',
  channels: 'manage how accounts are notified: webhooks, e-mail, feeds',
  retention: 'keep evidence for as long as the configuration says: show what that removes, and remove it',
}

/** Commands that open their store themselves, with their summaries. */
const standalone: Readonly<Record<StandaloneName, string>> = {
  serve: 'serve the API, the web pages and the reference, and run jobs; start as many as you like',
  demo: 'serve made-up data from a store of its own, to try things out; no network access, no variables',
  import: 'recognise what files are, show what importing them would do, and import them once told to',
  migrate: 'migrate the database schema to this version',
  work: 'run jobs: app intakes, estimates and scheduled collection; start as many as you like',
  backup: 'back up the store and kept media, while others use them',
  restore: 'restore a backup into an empty store, or check it in a place of its own',
  move: 'move the store into an empty one: from the embedded PostgreSQL to another, or back',
  doctor: 'examine the installation, and say what is wrong and what to do about it',
}

/**
 * Every command in a store with its summary, in the order of the help. The overview loads only this: loading the rows would
 * make it half as slow again.
 */
export const summaries: Readonly<Record<CommandName, string>> = {
  'collect charts': 'collect charts: those given, or those of the schedule',
  'collect apps': 'collect app records from the Lookup API',
  'collect missed':
    'look up tracked apps again that their storefront did not list, and in a few others, or say how many requests that is',
  'collect search-pages': "collect the App Store's web search pages of terms, or of all tracked keywords",
  'collect pages': 'collect App Store pages: subtitle, previews, in-app purchases, similar apps',
  'collect localizations':
    'collect App Store pages in the other languages of a storefront, of tracked apps or those named',
  'collect searches': 'collect result pages from the Search API',
  'collect hints': 'collect the search suggestions of the App Store',
  'collect ads': 'have the App Store ads of tracked apps asked for, and say how many requests that is',
  sources: 'show the health of every source by storefront: last answer, failing since, reason',
  'import catalogue':
    'import apps: saved App Store pages and responses of the iTunes Search and Lookup APIs, in any language; CSV, NDJSON or JSON with a mapping',
  'import charts':
    "import charts: Apple's RSS feeds, old and new; CSV, NDJSON or JSON, with a mapping for other column names",
  'import search-results':
    'import search results: one saved response of the iTunes Search API, or web search page, per file; a CSV beside them names term and storefront',
  'import keyword-ranks':
    'import ranks of keywords by day as other tools export them, apart from your own result pages; CSV, NDJSON or JSON, with a mapping for other column names',
  'import sales':
    "import sales of your own apps by day: App Store Connect's daily reports; CSV, NDJSON or JSON, with a mapping for other column names",
  'import organic': `import posts: our NDJSON, files of export organic, ${postForms.map(([, of]) => of).join(', ')}; CSV, NDJSON or JSON with a mapping`,
  'import paid-ads':
    'import ads: our NDJSON, files of export paid-ads, responses of the Meta Ad Library (API and web page), of TikTok and of Apple; CSV, NDJSON or JSON with a mapping',
  'import competitors':
    'track the apps of a list for an account: a table, or one App Store address, id or bundle id a line',
  'import keywords':
    'import keywords of a tracked app with tags, storefront and notes: a table as keyword tools export it, or one a line',
  'import listing':
    'import the texts of your own listing by language, which only the account sees: a fastlane metadata folder, answers of the App Store Connect API, JSON or tables',
  'import saved':
    'import what an account saved: swipe files with their ads and posts, boards, tags and notes, and export saved, whose posts and ads come first',
  'export organic': 'export organic posts with metrics, links and evidence, for import organic',
  'export paid-ads': 'export paid ads with creatives, observations, links and evidence, for import paid-ads',
  'export saved': 'export the saved items of an account with notes and tags, for import saved',
  'export charts':
    'export all stored charts, one rank per line, with the app names of that time, for import charts',
  'export catalogue': 'export all evidence of apps, one stored response per line, for import catalogue',
  'export result-pages':
    'export all stored result pages and search suggestions, one per line, for import search-results',
  'export keyword-ranks':
    'export what other tools told of ranks of keywords, one rank per line, for import keyword-ranks',
  replay: 'rebuild records from the stored payloads; the present ones are served meanwhile',
  'retention show':
    'show how long each kind of evidence is kept, what is stored of it, and what would be removed',
  'retention apply': 'remove what is older than the policies of the configuration say',
  calibrate: 'fit the estimates to your own sales, and show their error before and after',
  backtest: 'measure each score against a naive baseline, on stored data',
  'keys create': 'create a key and print it, once, alone on standard output',
  'keys list': 'list all keys with their state and last use',
  'keys rotate': 'replace a key: print a new one like it, once; the old one works on for a while',
  'keys revoke': 'revoke a key by its id, or all keys of a name',
  'keys link': 'make a link that signs in to the web pages with a key, once, within 15 minutes',
  'accounts list': 'list accounts with what they keep and their limits',
  'accounts surface': 'choose the surface whose ranks an account is shown',
  'accounts limit': 'limit the requests, the items and the kept media of an account',
  audit: 'list who wrote what through which door, oldest first',
  'requests list': 'list open requests, most requested first, with accounts and ids',
  'requests dismiss': 'dismiss an open request',
  'evidence list': 'list what accounts imported, newest first, with ids',
  'evidence withdraw': 'withdraw an import of ad records or a link decision, with everything derived from it',
  'posts link': 'link posts to an app',
  'posts unlink': 'unlink posts from an app, against all other evidence',
  'posts withdraw': 'withdraw decisions, so that the other evidence counts again',
  'posts decisions': 'list link decisions, newest first',
  'handles declare':
    'declare a social account of an app: its posts and those that mention it are linked to the app, past and future',
  'handles remove': 'remove a declaration, with the links derived from it',
  'handles list': 'list declared accounts with their apps',
  report: 'write the weekly report of an account to a page or PDF that can be forwarded',
  watch: 'print what is told of watches as it comes, a line each or NDJSON',
  'watches add':
    'watch something for an account: ranks, listings, releases, ads, emerging apps, sources, imports',
  'watches list': 'list watches with their state and how much they told',
  'watches mute': 'mute a watch: what it finds is kept in the history, and not sent',
  'watches remove': 'remove a watch',
  'watches test': 'send a test event through each channel of an account',
  'watches times': 'set the time zone and the quiet hours of an account',
  'watches deliveries': 'list deliveries of events through each channel, newest first',
  'watches resend': 'send dead deliveries again',
  'channels add': 'notify an account by webhook, e-mail or Atom feed',
  'channels list': 'list channels with pending, dead and failing deliveries',
  'channels mute': 'mute a channel: nothing is sent through it',
  'channels remove': 'remove a channel',
}

/** The operator's part of the command line. */
export const operatorTable = { standalone, summaries, groups, load: loadCommand }

type Loaded<Load extends () => Promise<unknown>> = Awaited<ReturnType<Load>>

/** The rows of all commands in a store, by their names. */
type Rows = Loaded<typeof accounts> &
  Loaded<typeof collect> &
  Loaded<typeof evidence> &
  Loaded<typeof exports> &
  Loaded<typeof imports> &
  Loaded<typeof keys> &
  Loaded<typeof links> &
  Loaded<typeof reports> &
  Loaded<typeof requests> &
  Loaded<typeof retention> &
  Loaded<typeof upkeep> &
  Loaded<typeof watches> &
  Loaded<typeof channels>

export type CommandName = keyof Rows

type StandaloneName = keyof (Loaded<typeof service> & Loaded<typeof store> & Loaded<typeof files>)

/** The input of a command, before defaults are applied. */
export type InputOf<Name extends CommandName> = Rows[Name] extends OperatorCommand<infer Given> ? Given : never
