import { z } from 'zod'
import { trackedRoles } from '../vocabulary/app-relations.ts'
import { chartKinds, chartKindsInWords } from '../vocabulary/chart-kinds.ts'
import { devices } from '../vocabulary/devices.ts'
import { deepestRank, rankToolNames } from '../vocabulary/keyword-rank-tools.ts'
import { postForms } from '../vocabulary/networks.ts'
import { localizationCodes, storefrontCodes } from '../vocabulary/storefronts.ts'
import { command } from './command.ts'
import { flag, given, wholeNumber } from './field-help.ts'
import { Encoding, jsonSummaryFlag, Moment, Storefront, Text } from './fields.ts'
import type { ImportOptions } from './import-command.ts'
import type { OperatorContext } from './operator-context.ts'

/** Commands that import files. */

const files = given('<files...>', '', z.array(Text), { whole: true })
const encoding = given(
  '<name>',
  'of text that is not UTF-8 and has no mark, such as windows-1252',
  Encoding.exactOptional(),
)
const rejectedOf = (kind: string) =>
  given(
    '<file>',
    `where rejected records are written; rejected-${kind}-<time>.ndjson here when left out`,
    Text.exactOptional(),
  )

/** Fields of every kind of evidence, whose files are of one of the formats. */
const evidenceIn = <Format extends string>(formats: readonly Format[]) => ({
  files,
  format: given(
    '<name>',
    'how the files are to be read; found out when left out',
    z.enum(formats).exactOptional(),
  ),
  country: given('<cc>', 'storefront of files that do not name theirs', Storefront.exactOptional(), {
    usually: storefrontCodes,
  }),
  observedAt: given(
    '<time>',
    'when the files were captured; else the payload, the file name or the file tells',
    Moment.exactOptional(),
  ),
  map: given('<file>', 'mapping from their names to ours, see docs/imports.md', Text.exactOptional()),
  encoding,
})
const evidence = evidenceIn(['itunes-search', 'itunes-lookup', 'json', 'ndjson', 'csv'])

const importOf =
  (kind: ImportOptions['kind']) =>
  async (context: OperatorContext, options: Omit<ImportOptions, 'kind'>): Promise<0 | 1> =>
    (await import('./import-command.ts')).importCommand(context, { kind, ...options })

const mostRequested = 200

const importing = { writes: true, makesStore: true, lowPriority: true } as const

const ofAccount = { writes: true, lowPriority: true } as const

const listFields = (kind: string) => ({
  files,
  account: given('<name>', 'whose it becomes; "default" when left out', Text.exactOptional()),
  country: given('<cc>', 'storefront of rows that name none', Storefront.exactOptional(), {
    usually: storefrontCodes,
  }),
  encoding,
  rejected: rejectedOf(kind),
})

export const importCommands = {
  'import catalogue': command({
    ...importing,
    input: {
      ...evidence,
      language: given(
        '<code>',
        "localization that pages and answers were asked for in, where it is not the storefront's own, such as fr-FR",
        Text.exactOptional(),
        { usually: localizationCodes },
      ),
      rejected: rejectedOf('catalogue'),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: ['rivalscope import catalogue answers/*.json.gz --country de --observed-at 2026-03-01'],
    perform: importOf('catalogue'),
  }),

  'import charts': command({
    ...importing,
    input: {
      ...evidence,
      chart: given('<name>', `${chartKindsInWords}, for files that do not name theirs`, Text.exactOptional(), {
        usually: chartKinds,
      }),
      category: given(
        '<id>',
        'Apple genre id or name, for files that do not name theirs; 36 is all',
        Text.exactOptional(),
      ),
      device: given('<name>', 'for files that do not name theirs', z.enum(devices).exactOptional()),
      rejected: rejectedOf('charts'),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: ['rivalscope import charts jp/2026-*.json --country jp --chart top-free --category 6015'],
    perform: importOf('charts'),
  }),

  'import search-results': command({
    ...importing,
    input: {
      ...evidenceIn(['itunes-search', 'app-store-search']),
      term: given(
        '<text>',
        'what was searched for; else a mapping, a captures table or the file name tells',
        Text.exactOptional(),
      ),
      requested: given(
        '<number>',
        'how many places were asked of Apple',
        wholeNumber(1, mostRequested).exactOptional(),
      ),
      rejected: rejectedOf('search-results'),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: ['rivalscope import search-results pages/ --term "photo editor" --country de'],
    perform: importOf('search-results'),
  }),

  'import keyword-ranks': command({
    ...importing,
    input: {
      ...evidenceIn([...rankToolNames, 'json', 'ndjson', 'csv']),
      app: given(
        '<app>',
        'of files that name no App Store id: id, address, or bundle id of a stored app',
        Text.exactOptional(),
      ),
      device: given('<name>', 'for files that do not name theirs', z.enum(devices).exactOptional()),
      requested: given(
        '<number>',
        'how many places the tool looks at, where its files do not tell',
        wholeNumber(1, deepestRank).exactOptional(),
      ),
      rejected: rejectedOf('keyword-ranks'),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: [
      'rivalscope import keyword-ranks apptweak-*.json --country us',
      'rivalscope import keyword-ranks astro.csv --format astro --app 6551000099 --country us --observed-at 2026-03-01',
    ],
    perform: importOf('keyword-ranks'),
  }),

  'import sales': command({
    ...importing,
    input: { ...evidence, rejected: rejectedOf('sales'), json: jsonSummaryFlag },
    places: ['files'],
    examples: ['rivalscope import sales S_D_*.txt.gz own-downloads.csv --country us'],
    perform: importOf('sales'),
  }),

  'import organic': command({
    ...importing,
    input: {
      ...evidenceIn(['posts', ...postForms.map(([name]) => name), 'json', 'ndjson', 'csv']),
      rejected: rejectedOf('organic'),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: ['rivalscope import organic trending.json USvideos.csv --observed-at 2026-03-01'],
    perform: importOf('organic'),
  }),

  'import paid-ads': command({
    ...importing,
    input: { ...evidence, rejected: rejectedOf('paid-ads'), json: jsonSummaryFlag },
    places: ['files'],
    examples: ['rivalscope import paid-ads ads_archive-page-*.json --observed-at 2026-03-01'],
    perform: importOf('paid-ads'),
  }),

  'import competitors': command({
    ...ofAccount,
    input: {
      ...listFields('competitors'),
      role: given('<role>', 'role of apps whose row names none', z.enum(trackedRoles).default('rival')),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: ['rivalscope import competitors rivals.txt --country us'],
    perform: async (context, input) =>
      (await import('./import-lists-command.ts')).importCompetitorsCommand(context, input),
  }),

  'import keywords': command({
    ...ofAccount,
    input: {
      ...listFields('keywords'),
      app: given(
        '<app>',
        'App Store id, bundle id or address of the tracked app, for rows that name none; the only own app when left out',
        Text.exactOptional(),
      ),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: ['rivalscope import keywords keywords.csv --app 6449912345 --country us'],
    perform: async (context, input) =>
      (await import('./import-lists-command.ts')).importKeywordsCommand(context, input),
  }),

  'import listing': command({
    ...ofAccount,
    input: {
      files,
      account: given('<name>', 'whose it becomes; "default" when left out', Text.exactOptional()),
      app: given(
        '<app>',
        'App Store id, bundle id or address of the tracked app; the Appfile tells when left out',
        Text.exactOptional(),
      ),
      observedAt: given('<time>', 'when the listing was so; now when left out', Moment.exactOptional()),
      whole: flag('it is the whole listing: localizations and texts it does not name are gone'),
      encoding,
      rejected: rejectedOf('listing'),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: [
      'rivalscope import listing fastlane/metadata',
      'rivalscope import listing localizations.json --app 6449912345',
    ],
    perform: async (context, input) =>
      (await import('./import-listing-command.ts')).importListingCommand(context, input),
  }),

  'import saved': command({
    writes: true,
    lowPriority: true,
    input: {
      files,
      account: given('<name>', 'whose it becomes; "default" when left out', Text.exactOptional()),
      board: given('<name>', 'board that the files are of, which becomes a tag', Text.exactOptional()),
      observedAt: given(
        '<time>',
        'when swipe files were written; else the payload, the file name or the file tells',
        Moment.exactOptional(),
      ),
      map: given('<file>', 'mapping of a swipe file, see docs/imports.md', Text.exactOptional()),
      encoding,
      rejected: rejectedOf('saved'),
      json: jsonSummaryFlag,
    },
    places: ['files'],
    examples: [
      'rivalscope import organic posts.ndjson',
      'rivalscope import paid-ads ads.ndjson',
      'rivalscope import saved saved.ndjson --account studio',
      'rivalscope import saved foreplay-board.json --board Hooks --account studio',
    ],
    perform: async (context, input) =>
      (await import('./import-saved-command.ts')).importSavedCommand(context, input),
  }),
}
