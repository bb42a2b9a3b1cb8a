import { z } from 'zod'
import { command } from './command.ts'
import { given } from './field-help.ts'
import { jsonSummaryFlag, Text } from './fields.ts'

/** Commands that export evidence to files. */

const exported = (whose: string) => ({
  format: given(
    '<name>',
    'ndjson: as the API shows them and all observations, the form to import again; csv: a table; zip: both, and the kept copies of media',
    z.enum(['ndjson', 'csv', 'zip']).exactOptional(),
  ),
  out: given(
    '<file>',
    'where to write; its ending tells the format; rivalscope-<kind>-<date> here when left out',
    Text.exactOptional(),
  ),
  competitor: given(
    '<app>',
    'only what is linked to this app: App Store id, bundle id or address',
    Text.exactOptional(),
  ),
  account: given('<name>', whose, Text.exactOptional()),
  json: jsonSummaryFlag,
})
const exportedCreatives = exported('whose saved marks are shown')
export const exportSavedInput = exported('whose; "default" when left out')

const lines = (kind: string) => ({
  out: given(
    '<file>',
    `where to write, as NDJSON; zipped when it ends with .gz; rivalscope-${kind}-<date>.ndjson.gz here when left out`,
    Text.exactOptional(),
  ),
  json: jsonSummaryFlag,
})

export const exportCommands = {
  'export organic': command({
    lowPriority: true,
    input: exportedCreatives,
    examples: ['rivalscope export organic --competitor 803453959 --out slack-posts.csv'],
    perform: async (context, input) =>
      (await import('./export-command.ts')).exportCommand(context, 'organic', input),
  }),

  'export paid-ads': command({
    lowPriority: true,
    input: exportedCreatives,
    examples: ['rivalscope export paid-ads --format zip'],
    perform: async (context, input) =>
      (await import('./export-command.ts')).exportCommand(context, 'paid-ads', input),
  }),

  'export saved': command({
    lowPriority: true,
    input: exportSavedInput,
    examples: [
      'rivalscope export saved --account default --out swipe-file.zip',
      'rivalscope export saved --profile work --out swipe-file.zip',
    ],
    perform: async (context, input) =>
      (await import('./export-command.ts')).exportCommand(context, 'saved', input),
    remotely: {
      perform: async (context, input) => (await import('./export-command.ts')).exportRemotely(context, input),
      onlyInStore: {
        fields: ['account', 'competitor'],
        because: 'a key exports all that its own account saved',
      },
    },
  }),

  'export charts': command({
    lowPriority: true,
    input: lines('charts'),
    examples: ['rivalscope export charts --out charts.ndjson.gz'],
    perform: async (context, input) =>
      (await import('./export-command.ts')).exportChartsCommand(context, input),
  }),

  'export catalogue': command({
    lowPriority: true,
    input: lines('catalogue'),
    examples: ['rivalscope export catalogue --out catalogue.ndjson.gz'],
    perform: async (context, input) =>
      (await import('./export-command.ts')).exportReadingsCommand(context, 'catalogue', input),
  }),

  'export keyword-ranks': command({
    lowPriority: true,
    input: lines('keyword-ranks'),
    examples: ['rivalscope export keyword-ranks --out keyword-ranks.ndjson.gz'],
    perform: async (context, input) =>
      (await import('./export-command.ts')).exportKeywordRanksCommand(context, input),
  }),

  'export result-pages': command({
    lowPriority: true,
    input: lines('result-pages'),
    examples: ['rivalscope export result-pages --out result-pages.ndjson.gz'],
    perform: async (context, input) =>
      (await import('./export-command.ts')).exportReadingsCommand(context, 'result-pages', input),
  }),
}
