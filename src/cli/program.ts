import { Command, type Option, type OutputConfiguration } from 'commander'
import type { CommandContext, Screen } from './command-context.ts'
import { completionCommand } from './completion/completion-command.ts'
import { type ContractActions, contractCommand } from './contract-command.ts'
import { prepareWhenChosen } from './lazy-command.ts'
import { operationCommands } from './operations/operation-command.ts'
import { type OperatorCall, type OperatorTable, operatorCommands } from './operator/operator-commands.ts'
import {
  clusterOptions,
  configOption,
  type DemoOptions,
  demoOptions,
  locationOptions,
  logLevelOption,
  type MigrateOptions,
  type ServiceOptions,
  serviceOptions,
  type WorkOptions,
} from './options.ts'
import { profileCommands } from './profile-commands.ts'
import { type StoreActions, storeCommands } from './store-commands.ts'

/** The actions of the commands, passed in by the composition. */
export interface Actions extends ContractActions, StoreActions {
  serve(options: ServiceOptions): Promise<number>
  demo(options: DemoOptions): Promise<number>
  migrate(options: MigrateOptions): Promise<number>
  work(options: WorkOptions): Promise<number>
  operate(call: OperatorCall): Promise<number>
}

/**
 * The command line. Wrong usage ends with code 2, everything else with what the action answers.
 */
export function buildProgram(
  load: () => Promise<Actions>,
  operator: OperatorTable,
  version: string,
  end: (code: number) => void,
  context: CommandContext,
): Command {
  const program = new Command('rivalscope')
    .description('Self-hosted competitive research for mobile apps.')
    .version(version)
    .showHelpAfterError('(add --help for usage)')
    .exitOverride()
    .configureOutput(outputTo(context))
  const run: Run = async (perform) => end(await perform(await load()))

  withOptions(
    program
      .command('serve')
      .description('serve the API, the web pages and the reference, and run jobs; start as many as you like'),
    [...locationOptions(), configOption(), ...serviceOptions()],
  ).action((options: ServiceOptions) => run((actions) => actions.serve(options)))
  withOptions(
    program
      .command('demo')
      .description(
        'serve made-up data from a store of its own, to try things out; no network access, no variables',
      ),
    demoOptions(),
  ).action((options: DemoOptions) => run((actions) => actions.demo(options)))
  withOptions(program.command('migrate').description('migrate the database schema to this version'), [
    ...locationOptions(),
    ...clusterOptions(),
  ]).action((options: MigrateOptions) => run((actions) => actions.migrate(options)))
  withOptions(
    program
      .command('work')
      .description('run jobs: app intakes, estimates and scheduled collection; start as many as you like'),
    [...locationOptions(), configOption(), logLevelOption()],
  ).action((options: WorkOptions) => run((actions) => actions.work(options)))
  storeCommands(program, run)
  operatorCommands(program, operator, (call) => run((actions) => actions.operate(call)))
  contractCommand(program, run, end, context)
  profileCommands(program, end, context)
  completionCommand(program, end, context)
  operationCommands(program, context, end)
  prepareWhenChosen(program)
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
