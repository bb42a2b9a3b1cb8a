import { Command, Option, type OutputConfiguration } from 'commander'
import type { ListRequestsOptions } from '../operator/request-commands.ts'
import { type CollectActions, collectCommands } from './collect-commands.ts'
import type { CommandContext, Screen } from './command-context.ts'
import { completionCommand } from './completion/completion-command.ts'
import { type ContractActions, contractCommand } from './contract-command.ts'
import { type ExportActions, exportCommands } from './export-commands.ts'
import { type ImportActions, importCommands } from './import-commands.ts'
import { type LinkActions, linkCommands } from './link-commands.ts'
import { operationCommands } from './operations/overview.ts'
import {
  configOption,
  type DemoOptions,
  demoOptions,
  type LocationOptions,
  locationOptions,
  logLevelOption,
  moment,
  type ServiceOptions,
  scopeList,
  serviceOptions,
  type WorkOptions,
} from './options.ts'
import { profileCommands } from './profile-commands.ts'

/** What the commands do; given by the one place that knows every part. */
export interface Actions extends CollectActions, ContractActions, ExportActions, ImportActions, LinkActions {
  work(options: WorkOptions): Promise<number>
  sources(options: LocationOptions & { json?: boolean; failing?: boolean }): Promise<number>
  serve(options: ServiceOptions): Promise<number>
  demo(options: DemoOptions): Promise<number>
  migrate(options: LocationOptions): Promise<number>
  replay(options: LocationOptions & { json?: boolean }): Promise<number>
  calibrate(options: LocationOptions & { json?: boolean }): Promise<number>
  createKey(
    options: LocationOptions & {
      name: string
      scopes: string[]
      account?: string
      expires?: string
      bringEvidence: 'on' | 'off'
    },
  ): Promise<number>
  listKeys(options: LocationOptions & { json?: boolean }): Promise<number>
  revokeKey(key: string, options: LocationOptions): Promise<number>
  listRequests(options: LocationOptions & ListRequestsOptions): Promise<number>
  listEvidence(options: LocationOptions & { account?: string; json?: boolean }): Promise<number>
  withdrawEvidence(id: string, options: LocationOptions): Promise<number>
  dismissRequest(requestId: string, options: LocationOptions & { reason?: string }): Promise<number>
}

/**
 * The command line. Wrong usage ends with code 2, everything else with what the action answers.
 */
export function buildProgram(
  load: () => Promise<Actions>,
  version: string,
  end: (code: number) => void,
  context: CommandContext,
): Command {
  const program = new Command('rivalscope')
    .description('Self-hosted competitive research for mobile apps.')
    .version(version)
    .showHelpAfterError('(add --help for what it takes)')
    .exitOverride()
    .configureOutput(outputTo(context))
  const run: Run = async (perform) => end(await perform(await load()))

  withOptions(
    program
      .command('serve')
      .description('serve the API and the reference, and work on jobs; any number of these'),
    [...locationOptions(), configOption(), ...serviceOptions()],
  ).action((options: ServiceOptions) => run((actions) => actions.serve(options)))
  withOptions(
    program
      .command('demo')
      .description(
        'serve made-up evidence from a store of its own, to try things out; asks nobody, and heeds no variable',
      ),
    demoOptions(),
  ).action((options: DemoOptions) => run((actions) => actions.demo(options)))
  withOptions(
    program.command('migrate').description('bring the schema of the store up to date'),
    locationOptions(),
  ).action((options: LocationOptions) => run((actions) => actions.migrate(options)))
  withOptions(
    program
      .command('work')
      .description('work on jobs: intakes, estimates, and what the schedule collects; any number of these'),
    [...locationOptions(), configOption(), logLevelOption()],
  ).action((options: WorkOptions) => run((actions) => actions.work(options)))
  collectCommands(program, run)
  withOptions(
    program
      .command('sources')
      .description('how every source fares in every storefront: last answer, failing since when and why'),
    locationOptions(),
  )
    .option('--failing', 'only those that are not well')
    .option('--json', 'as JSON')
    .action((options) => run((actions) => actions.sources(options)))
  importCommands(program, run)
  exportCommands(program, run)
  withOptions(
    program.command('replay').description('derive records and charts anew from all stored payloads'),
    locationOptions(),
  )
    .option('--json', 'end with a summary in JSON')
    .action((options: LocationOptions) => run((actions) => actions.replay(options)))
  withOptions(
    program
      .command('calibrate')
      .description('fit the estimates to your own sales, and tell their error before and after'),
    locationOptions(),
  )
    .option('--json', 'as JSON')
    .action((options: LocationOptions) => run((actions) => actions.calibrate(options)))
  keyCommands(program, run)
  requestCommands(program, run)
  evidenceCommands(program, run)
  linkCommands(program, run)
  contractCommand(program, run, end, context)
  profileCommands(program, end, context)
  completionCommand(program, end, context)
  operationCommands(program, context, end)
  return program
}

/** Where the option parser shows help and refusals. */
function outputTo({ stdout, stderr }: CommandContext): OutputConfiguration {
  const widthOf = ({ isTTY, columns = 80 }: Screen) => (isTTY ? columns : 80)
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  }
}

function withOptions(command: Command, options: Option[]): Command {
  for (const option of options) command.addOption(option)
  return command
}

type Run = (perform: (actions: Actions) => Promise<number>) => Promise<void>

function keyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').description('make, list and end API keys')
  withOptions(
    keys.command('create').description('make a key and print it, this once, alone on standard output'),
    locationOptions(),
  )
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scopes <list>', 'context:read, content:write or both, separated by a comma', scopeList)
    .option('--account <name>', 'account it belongs to; "default" when left out')
    .option('--expires <time>', 'when it ends; never when left out', moment)
    .addOption(
      new Option('--bring-evidence <on|off>', 'whether it may bring ad records and links of its own')
        .choices(['on', 'off'])
        .default('on'),
    )
    .action((options) => run((actions) => actions.createKey(options)))
  withOptions(
    keys.command('list').description('list all keys with their state and last use'),
    locationOptions(),
  )
    .option('--json', 'as JSON')
    .action((options) => run((actions) => actions.listKeys(options)))
  withOptions(
    keys.command('revoke').description('end a key by its id, or all keys of a name').argument('<key>'),
    locationOptions(),
  ).action((key: string, options) => run((actions) => actions.revokeKey(key, options)))
}

function evidenceCommands(program: Command, run: Run): void {
  const evidence = program
    .command('evidence')
    .description('what accounts brought themselves: ad records and links')
  withOptions(
    evidence
      .command('list')
      .description('list what accounts brought, newest first, with the ids to withdraw it by'),
    locationOptions(),
  )
    .option('--account <name>', 'only what this account brought')
    .option('--json', 'as JSON')
    .action((options) => run((actions) => actions.listEvidence(options)))
  withOptions(
    evidence
      .command('withdraw')
      .description(
        'take back an import of ad records or a decision about links, with all that followed from it',
      )
      .argument('<id>'),
    locationOptions(),
  ).action((id: string, options) => run((actions) => actions.withdrawEvidence(id, options)))
}

function requestCommands(program: Command, run: Run): void {
  const requests = program.command('requests').description('what data accounts asked for')
  withOptions(
    requests
      .command('list')
      .description('list what is wanted, most wanted first, with who asked and the ids of their requests'),
    locationOptions(),
  )
    .addOption(
      new Option('--status <status>', 'which requests')
        .choices(['open', 'fulfilled', 'dismissed', 'all'])
        .default('open'),
    )
    .option('--json', 'as JSON')
    .action((options) => run((actions) => actions.listRequests(options)))
  withOptions(
    requests.command('dismiss').description('end an open request without its data').argument('<requestId>'),
    locationOptions(),
  )
    .option('--reason <text>', 'why, told to those who asked')
    .action((requestId: string, options) => run((actions) => actions.dismissRequest(requestId, options)))
}
