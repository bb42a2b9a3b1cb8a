import { type Command, InvalidArgumentError, Option } from 'commander'
import type {
  CollectAppsOptions,
  CollectChartsOptions,
  CollectTermsOptions,
} from '../operator/collect-command.ts'
import { chartKinds } from '../vocabulary/chart-kinds.ts'
import { devices } from '../vocabulary/devices.ts'
import { isStoreId } from '../vocabulary/ids.ts'
import { configOption, type LocationOptions, locationOptions, storefront } from './options.ts'

/** What the collecting commands do. */
export interface CollectActions {
  collectCharts(options: LocationOptions & CollectChartsOptions): Promise<number>
  collectApps(surface: 'apps' | 'pages', options: LocationOptions & CollectAppsOptions): Promise<number>
  collectTerms(surface: 'searches' | 'hints', options: LocationOptions & CollectTermsOptions): Promise<number>
}

type Run = (perform: (actions: CollectActions) => Promise<number>) => Promise<void>

/** `rivalscope collect …`: asks once, now, and says beforehand what it takes. */
export function collectCommands(program: Command, run: Run): void {
  const collect = program
    .command('collect')
    .description('ask Apple once, now, at the pace of the configuration; a schedule does so by itself')
  const charts = withStore(
    collect.command('charts').description('charts: those named, or those of the schedule'),
  )
    .addOption(new Option('--country <cc...>', 'storefronts, or all').argParser(storefronts))
    .addOption(new Option('--chart <name...>', 'all three when left out').choices(chartKinds))
    .addOption(
      new Option('--category <id...>', 'Apple genre ids, or all; 36 is the whole store').argParser(categories),
    )
    .addOption(new Option('--device <name...>', 'iphone when left out').choices(devices))
    .option('--plan', 'say what a day of it takes under the pace, and how many addresses; nothing is asked')
    .option('--json', 'end with a summary in JSON')
  charts
    .addHelpText('after', '\nExample:\n  rivalscope collect charts --country us jp --category 36 6014')
    .action((options) => run((actions) => actions.collectCharts(options)))
  for (const [surface, description] of [
    ['apps', 'records of apps by the Lookup API'],
    ['pages', 'pages of apps on the App Store: subtitle, previews, in-app purchases, similar apps'],
  ] as const) {
    withStore(
      collect.command(surface).description(description).argument('<storeId...>', 'App Store ids', storeIds),
    )
      .addOption(countryOption())
      .option('--json', 'end with a summary in JSON')
      .action((ids: string[], options) =>
        run((actions) => actions.collectApps(surface, { ...options, storeIds: ids })),
      )
  }
  for (const [surface, description] of [
    ['searches', 'result pages of the Search API'],
    ['hints', 'what the App Store suggests while a term is typed'],
  ] as const) {
    withStore(
      collect.command(surface).description(description).argument('<term...>', 'one or more terms', terms),
    )
      .addOption(countryOption())
      .option('--json', 'end with a summary in JSON')
      .action((terms: string[], options) =>
        run((actions) => actions.collectTerms(surface, { ...options, terms })),
      )
  }
}

function withStore(command: Command): Command {
  for (const option of [...locationOptions(), configOption()]) command.addOption(option)
  return command
}

const countryOption = () => new Option('--country <cc>', 'storefront').default('us').argParser(storefront)

function storefronts(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((code) => (code === 'all' ? code : storefront(code)))]
}

function categories(text: string, before: string[] = []): string[] {
  const named = text.split(',')
  const wrong = named.find((id) => id !== 'all' && !/^[1-9]\d{0,5}$/.test(id))
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not an Apple genre id`)
  return [...before, ...named]
}

function storeIds(text: string, before: string[] = []): string[] {
  const named = text.split(',')
  const wrong = named.find((id) => !isStoreId(id))
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong.slice(0, 40)}" is not an App Store id`)
  return [...before, ...named]
}

/** Letters a search text may have, as at the other doors. */
const longestTerm = 200

function terms(text: string, before: string[] = []): string[] {
  const term = text.trim()
  if (term === '' || [...term].length > longestTerm || /\p{Cc}/u.test(term))
    throw new InvalidArgumentError(`a term has 1 to ${longestTerm} letters and no control characters`)
  return [...before, term]
}
