import { z } from 'zod'
import { chartKinds, chartKindsInWords } from '../../vocabulary/chart-kinds.ts'
import { devices } from '../../vocabulary/devices.ts'
import { storefrontCodes } from '../../vocabulary/storefronts.ts'
import { commandRow, type Words } from '../command-row.ts'
import { Encoding, Flag, jsonAtTheEnd, Moment, Storefront, Text } from '../fields.ts'
import type { ImportOptions } from '../import-command.ts'
import type { OperatorContext } from '../operator-context.ts'

/** Commands that import files. */
const bringing = {
  givesWay: true,
  asksSources: false,
  readsConfiguration: false,
  atDistance: false,
  places: ['files'],
} as const

const files: Words = { value: '<files...>', about: '', whole: true }
const rejectedOf = (kind: string): Words => ({
  value: '<file>',
  about: `where rejected records are written; rejected-${kind}-<time>.ndjson here when left out`,
})

const encodingWords: Words = {
  value: '<name>',
  about: 'of text that is not UTF-8 and has no mark, such as windows-1252',
}

/** Options of every kind of evidence. */
const evidence = {
  files: z.array(Text),
  country: Storefront.exactOptional(),
  observedAt: Moment.exactOptional(),
  map: Text.exactOptional(),
  encoding: Encoding.exactOptional(),
  rejected: Text.exactOptional(),
  json: Flag,
}
const evidenceWords = {
  files,
  format: { value: '<name>', about: 'how the files are to be read; found out when left out' },
  country: {
    value: '<cc>',
    about: 'storefront of files that do not name theirs',
    usually: storefrontCodes,
  },
  observedAt: {
    value: '<time>',
    about: 'when the files were captured; else the payload, the file name or the file tells',
  },
  map: { value: '<file>', about: 'mapping from their names to ours, see docs/imports.md' },
  encoding: encodingWords,
} as const

const formats = z.enum(['itunes-search', 'itunes-lookup', 'json', 'ndjson', 'csv']).exactOptional()
const postFormats = [
  ...(['posts', 'tiktok', 'reddit', 'youtube', 'youtube-trending', 'instagram'] as const),
  ...(['json', 'ndjson', 'csv'] as const),
]

const performOf = (kind: ImportOptions['kind']) => async () => {
  const { importCommand } = await import('../import-command.ts')
  return (context: OperatorContext, options: Omit<ImportOptions, 'kind'>) =>
    importCommand(context, { kind, ...options })
}

/** The kinds without options of their own: their files are self-describing. */
const plainImport = (kind: 'catalogue' | 'sales' | 'paid-ads', example: string) =>
  commandRow({
    ...bringing,
    needsStore: false,
    input: z.strictObject({ ...evidence, format: formats }),
    words: { ...evidenceWords, rejected: rejectedOf(kind), json: jsonAtTheEnd },
    examples: [example],
    perform: performOf(kind),
  })

export const importCatalogue = plainImport(
  'catalogue',
  'rivalscope import catalogue answers/*.json.gz --country de --observed-at 2026-03-01',
)

export const importSales = plainImport(
  'sales',
  'rivalscope import sales S_D_*.txt.gz own-downloads.csv --country us',
)

export const importPaidAds = plainImport(
  'paid-ads',
  'rivalscope import paid-ads ads_archive-page-*.json --observed-at 2026-03-01',
)

export const importOrganic = commandRow({
  ...bringing,
  needsStore: false,
  input: z.strictObject({ ...evidence, format: z.enum(postFormats).exactOptional() }),
  words: { ...evidenceWords, rejected: rejectedOf('organic'), json: jsonAtTheEnd },
  examples: ['rivalscope import organic trending.json USvideos.csv --observed-at 2026-03-01'],
  perform: performOf('organic'),
})

export const importCharts = commandRow({
  ...bringing,
  needsStore: false,
  input: z.strictObject({
    ...evidence,
    format: formats,
    chart: Text.exactOptional(),
    category: Text.exactOptional(),
    device: z.enum(devices).exactOptional(),
  }),
  words: {
    ...evidenceWords,
    chart: {
      value: '<name>',
      about: `${chartKindsInWords}, for files that do not name theirs`,
      usually: chartKinds,
    },
    category: {
      value: '<id>',
      about: 'Apple genre id or name, for files that do not name theirs; 36 is all',
    },
    device: { value: '<name>', about: 'for files that do not name theirs' },
    rejected: rejectedOf('charts'),
    json: jsonAtTheEnd,
  },
  examples: ['rivalscope import charts jp/2026-*.json --country jp --chart top-free --category 6015'],
  perform: performOf('charts'),
})

const mostRequested = 200

export const importSearchResults = commandRow({
  ...bringing,
  needsStore: false,
  input: z.strictObject({
    ...evidence,
    format: z.enum(['itunes-search']).exactOptional(),
    term: Text.exactOptional(),
    requested: z
      .int(`must be a whole number from 1 to ${mostRequested}`)
      .min(1, `must be a whole number from 1 to ${mostRequested}`)
      .max(mostRequested, `must be a whole number from 1 to ${mostRequested}`)
      .exactOptional(),
  }),
  words: {
    ...evidenceWords,
    term: {
      value: '<text>',
      about: 'what was searched for; else a mapping, a captures table or the file name tells',
    },
    requested: { value: '<number>', about: 'how many places were asked of Apple' },
    rejected: rejectedOf('search-results'),
    json: jsonAtTheEnd,
  },
  examples: ['rivalscope import search-results pages/ --term "photo editor" --country de'],
  perform: performOf('search-results'),
})

export const importSaved = commandRow({
  ...bringing,
  needsStore: true,
  input: z.strictObject({
    files: z.array(Text),
    account: Text.exactOptional(),
    encoding: Encoding.exactOptional(),
    rejected: Text.exactOptional(),
    json: Flag,
  }),
  words: {
    files,
    account: { value: '<name>', about: 'whose it becomes; "default" when left out' },
    encoding: encodingWords,
    rejected: rejectedOf('saved'),
    json: jsonAtTheEnd,
  },
  examples: [
    'rivalscope import organic posts.ndjson',
    'rivalscope import paid-ads ads.ndjson',
    'rivalscope import saved swipe-file.ndjson --account studio',
  ],
  perform: async () => (await import('../import-saved-command.ts')).importSavedCommand,
})
