import { type Command, Option } from 'commander'
import type { ExportOptions } from '../operator/export-command.ts'
import type { ExportKeptOptions, ExportLinesOptions } from '../operator/export-lines-command.ts'
import { type ConnectionOptions, connectionOptions } from './connection.ts'
import { type LocationOptions, locationOptions } from './options.ts'

type ExportFlags = Omit<ExportOptions, 'kind'> & ConnectionOptions

export interface ExportActions {
  export(kind: ExportOptions['kind'], options: LocationOptions & ExportFlags): Promise<number>
  exportCharts(options: LocationOptions & ExportLinesOptions): Promise<number>
  exportKept(kind: ExportKeptOptions['kind'], options: LocationOptions & ExportLinesOptions): Promise<number>
}

const kinds = {
  organic: 'organic posts with their figures, links and evidence; import organic reads it again',
  'paid-ads': 'paid ads with their creatives, observations, links and evidence; import paid-ads reads it again',
  saved: 'what an account saved of both, with its notes and tags; import saved puts it back',
} as const

/** What is written a line at a time, for an import to read again. */
const lines = {
  charts: 'all stored charts, a place a line, with the names apps had then; import charts reads it again',
  catalogue:
    'all that was read of apps, a kept answer or piece of a table a line, charts and result pages too; import catalogue reads it again',
  'result-pages': 'all kept result pages and search hints, one a line; import search-results reads it again',
} as const

const examples = {
  organic: 'rivalscope export organic --competitor 803453959 --out slack-posts.csv',
  'paid-ads': 'rivalscope export paid-ads --format zip',
  saved:
    'rivalscope export saved --account default --out swipe-file.zip\n  rivalscope export saved --profile work --out swipe-file.zip',
} as const

/** Bulk export: everything the API shows of posts and ads, as files. */
export function exportCommands(
  program: Command,
  run: (perform: (actions: ExportActions) => Promise<number>) => Promise<void>,
): void {
  const command = program
    .command('export')
    .description('write posts, ads, charts, the catalogue and result pages to files, with kept media if wished')
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const sub = command.command(kind).description(kinds[kind])
    for (const option of locationOptions()) sub.addOption(option)
    sub
      .addOption(
        new Option(
          '--format <name>',
          'ndjson: as the API shows them and all observations, the form to import again; csv: a table; zip: both, and the kept copies of media',
        ).choices(['ndjson', 'csv', 'zip']),
      )
      .option(
        '--out <file>',
        'where to write; its ending tells the format; rivalscope-<kind>-<date> here when left out',
      )
      .option('--competitor <app>', 'only what is linked to this app: App Store id, bundle id or address')
      .option(
        '--account <name>',
        kind === 'saved' ? 'whose; "default" when left out' : 'whose saved marks are shown',
      )
      .option('--json', 'end with a summary in JSON')
    if (kind === 'saved')
      for (const option of connectionOptions())
        sub.addOption(option.helpGroup('At a distance, by the key of an account:'))
    sub
      .addHelpText('after', `\nExample:\n  ${examples[kind]}`)
      .action((options: LocationOptions & ExportFlags) => run((actions) => actions.export(kind, options)))
  }
  for (const kind of Object.keys(lines) as (keyof typeof lines)[]) {
    const sub = command.command(kind).description(lines[kind])
    for (const option of locationOptions()) sub.addOption(option)
    sub
      .option(
        '--out <file>',
        `where to write, as NDJSON; zipped when it ends with .gz; rivalscope-${kind}-<date>.ndjson.gz here when left out`,
      )
      .option('--json', 'end with a summary in JSON')
      .addHelpText('after', `\nExample:\n  rivalscope export ${kind} --out ${kind}.ndjson.gz`)
      .action((options: LocationOptions & ExportLinesOptions) =>
        run((actions) =>
          kind === 'charts' ? actions.exportCharts(options) : actions.exportKept(kind, options),
        ),
      )
  }
}
