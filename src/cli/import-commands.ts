import { type Command, Option } from 'commander'
import type { ImportOptions } from '../operator/import-command.ts'
import type { ImportSavedOptions } from '../operator/import-saved-command.ts'
import { devices } from '../vocabulary/devices.ts'
import { type LocationOptions, locationOptions, moment, storefront, wholeNumber } from './options.ts'

type ImportFlags = Omit<ImportOptions, 'kind' | 'files'>
type ImportSavedFlags = Omit<ImportSavedOptions, 'files'>

export interface ImportActions {
  import(kind: ImportOptions['kind'], files: string[], options: LocationOptions & ImportFlags): Promise<number>
  importSaved(files: string[], options: LocationOptions & ImportSavedFlags): Promise<number>
}

const formats: NonNullable<ImportOptions['format']>[] = [
  'itunes-search',
  'itunes-lookup',
  'json',
  'ndjson',
  'csv',
]

/** `--format` of kinds that have formats of their own. */
const formatsOf: Partial<Record<ImportOptions['kind'], typeof formats>> = {
  'search-results': ['itunes-search'],
  organic: ['posts', 'tiktok', 'reddit', 'youtube', 'youtube-trending', 'instagram', 'json', 'ndjson', 'csv'],
}

/** Files into the store: what is read of apps, posts and ads, and what an account saved. */
export function importCommands(
  program: Command,
  run: (perform: (actions: ImportActions) => Promise<number>) => Promise<void>,
): void {
  const command = program
    .command('import')
    .description('bring files into the store; gzip is unpacked, - is standard input, directories are walked')
  const kinds = {
    catalogue: 'apps: saved answers of the iTunes Search and Lookup APIs; CSV, NDJSON and JSON with a mapping',
    charts:
      "Apple's RSS chart feeds of any age; CSV, NDJSON and JSON lists, with a mapping where names are unusual",
    'search-results':
      'saved result pages of the iTunes Search API, one a file; a CSV among them says what each is of',
    sales:
      "your own apps' days: App Store Connect's daily sales reports; CSV, NDJSON and JSON, with a mapping where names are unusual",
    organic:
      'posts: our own NDJSON, TikTok collectors, Reddit API, YouTube Data API and its trending tables, Instagram; and what export organic wrote; CSV, NDJSON and JSON with a mapping',
    'paid-ads':
      'ads: our own records, answers of the Meta Ad Library (API and web page) and of TikTok, and what export paid-ads wrote; CSV, NDJSON and JSON with a mapping',
  } as const
  for (const [kind, description] of Object.entries(kinds)) {
    const sub = located(command.command(kind).description(description).argument('<files...>'))
      .addOption(
        new Option('--format <name>', 'how the files are to be read; found out when left out').choices(
          formatsOf[kind as keyof typeof kinds] ?? formats,
        ),
      )
      .option('--country <cc>', 'storefront of files that do not name theirs', storefront)
      .option(
        '--observed-at <time>',
        'when the files were captured; else the payload, the file name or the file tells',
        moment,
      )
      .option('--map <file>', 'mapping from their names to ours, see docs/imports.md')
    if (kind === 'charts') {
      sub
        .option('--chart <name>', 'top-free, top-paid or top-grossing, for files that do not name theirs')
        .option('--category <id>', 'Apple genre id or name, for files that do not name theirs; 36 is all')
        .addOption(new Option('--device <name>', 'for files that do not name theirs').choices(devices))
    }
    if (kind === 'search-results') {
      sub
        .option(
          '--term <text>',
          'what was searched for; else a mapping, a captures table or the file name tells',
        )
        .option('--requested <number>', 'how many places were asked of Apple', wholeNumber(1, 200))
    }
    sub
      .option(
        '--rejected <file>',
        'where rejected records are written; rejected-<kind>-<time>.ndjson here when left out',
      )
      .option('--json', 'end with a summary in JSON')
      .addHelpText('after', `\nExample:\n  ${examples[kind as keyof typeof kinds]}`)
      .action((files: string[], options: LocationOptions & ImportFlags) =>
        run((actions) => actions.import(kind as keyof typeof kinds, files, options)),
      )
  }
  located(
    command
      .command('saved')
      .description(
        'what an account saved, with notes and tags, as export saved wrote it; its posts and ads first',
      )
      .argument('<files...>'),
  )
    .option('--account <name>', 'whose it becomes; "default" when left out')
    .option(
      '--rejected <file>',
      'where rejected records are written; rejected-saved-<time>.ndjson here when left out',
    )
    .option('--json', 'end with a summary in JSON')
    .addHelpText(
      'after',
      '\nExample:\n  rivalscope import organic posts.ndjson\n  rivalscope import paid-ads ads.ndjson\n  rivalscope import saved swipe-file.ndjson --account studio',
    )
    .action((files: string[], options: LocationOptions & ImportSavedFlags) =>
      run((actions) => actions.importSaved(files, options)),
    )
}

const examples = {
  catalogue: 'rivalscope import catalogue answers/*.json.gz --country de --observed-at 2026-03-01',
  charts: 'rivalscope import charts jp/2026-*.json --country jp --chart top-free --category 6015',
  'search-results': 'rivalscope import search-results pages/ --term "photo editor" --country de',
  organic: 'rivalscope import organic trending.json USvideos.csv --observed-at 2026-03-01',
  sales: 'rivalscope import sales S_D_*.txt.gz own-downloads.csv --country us',
  'paid-ads': 'rivalscope import paid-ads ads_archive-page-*.json --observed-at 2026-03-01',
}

function located(command: Command): Command {
  for (const option of locationOptions()) command.addOption(option)
  return command
}
