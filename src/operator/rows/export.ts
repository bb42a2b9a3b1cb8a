import { z } from 'zod'
import { commandRow } from '../command-row.ts'
import type { ExportOptions } from '../export-command.ts'
import type { ExportLinesOptions, ExportReadingsOptions } from '../export-lines-command.ts'
import { Flag, jsonAtTheEnd, Text } from '../fields.ts'
import type { OperatorContext } from '../operator-context.ts'

/** Commands that export evidence to files. */
const writing = {
  needsStore: true,
  givesWay: true,
  asksSources: false,
  readsConfiguration: false,
  places: [],
} as const

export const ExportInput = z.strictObject({
  format: z.enum(['ndjson', 'csv', 'zip']).exactOptional(),
  out: Text.exactOptional(),
  competitor: Text.exactOptional(),
  account: Text.exactOptional(),
  json: Flag,
})

const exportRow = (kind: ExportOptions['kind'], examples: readonly string[]) =>
  commandRow({
    ...writing,
    atDistance: kind === 'saved',
    input: ExportInput,
    words: {
      format: {
        value: '<name>',
        about:
          'ndjson: as the API shows them and all observations, the form to import again; csv: a table; zip: both, and the kept copies of media',
      },
      out: {
        value: '<file>',
        about: 'where to write; its ending tells the format; rivalscope-<kind>-<date> here when left out',
      },
      competitor: {
        value: '<app>',
        about: 'only what is linked to this app: App Store id, bundle id or address',
      },
      account: {
        value: '<name>',
        about: kind === 'saved' ? 'whose; "default" when left out' : 'whose saved marks are shown',
      },
      json: jsonAtTheEnd,
    },
    examples,
    perform: async () => {
      const { exportCommand } = await import('../export-command.ts')
      return (context: OperatorContext, options: Omit<ExportOptions, 'kind'>) =>
        exportCommand(context, { kind, ...options })
    },
  })

export const exportOrganic = exportRow('organic', [
  'rivalscope export organic --competitor 803453959 --out slack-posts.csv',
])
export const exportPaidAds = exportRow('paid-ads', ['rivalscope export paid-ads --format zip'])
export const exportSaved = exportRow('saved', [
  'rivalscope export saved --account default --out swipe-file.zip',
  'rivalscope export saved --profile work --out swipe-file.zip',
])

/** Exports by line, which an import reads again. */
const linesRow = (
  kind: 'charts' | ExportReadingsOptions['kind'],
  perform: () => Promise<(context: OperatorContext, options: ExportLinesOptions) => Promise<0 | 1>>,
) =>
  commandRow({
    ...writing,
    atDistance: false,
    input: z.strictObject({ out: Text.exactOptional(), json: Flag }),
    words: {
      out: {
        value: '<file>',
        about: `where to write, as NDJSON; zipped when it ends with .gz; rivalscope-${kind}-<date>.ndjson.gz here when left out`,
      },
      json: jsonAtTheEnd,
    },
    examples: [`rivalscope export ${kind} --out ${kind}.ndjson.gz`],
    perform,
  })

export const exportCharts = linesRow(
  'charts',
  async () => (await import('../export-lines-command.ts')).exportChartsCommand,
)

const readingsRow = (kind: ExportReadingsOptions['kind']) =>
  linesRow(kind, async () => {
    const { exportReadingsCommand } = await import('../export-lines-command.ts')
    return (context, options) => exportReadingsCommand(context, { kind, ...options })
  })

export const exportCatalogue = readingsRow('catalogue')
export const exportResultPages = readingsRow('result-pages')
