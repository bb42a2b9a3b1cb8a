import { Command, Help, type OutputConfiguration } from 'commander'
import type { CommandContext, ScreenStream } from './command-context.ts'
import { completionCommand } from './completion/completion-command.ts'
import { contractCommand } from './contract-command.ts'
import { LazyCommand, prepareWhenChosen } from './lazy-command.ts'
import { operationCommands } from './operations/operation-command.ts'
import { type OperatorCall, type OperatorTable, operatorCommands } from './operator/operator-commands.ts'
import { profileCommands } from './profile-commands.ts'

/** The parts that `src/command-line.ts` passes in. */
export interface ProgramParts {
  version: string
  operator: OperatorTable
  /** Performs a command of the operator, and answers its exit code. */
  perform(call: OperatorCall): Promise<number>
  /** The OpenAPI document. */
  openApi(): Promise<object>
}

/**
 * The command line. Wrong usage ends with code 2, everything else with what the command answers.
 */
export function buildProgram(
  { version, operator, perform, openApi }: ProgramParts,
  end: (code: number) => void,
  context: CommandContext,
): Command {
  const program = new Command('rivalscope')
    .description('Self-hosted competitive research for mobile apps.')
    .version(version)
    .showHelpAfterError('(add --help for usage)')
    .exitOverride()
    .configureOutput(outputTo(context))
    .configureHelp({
      subcommandTerm: (command) =>
        command instanceof LazyCommand && command.isShownWithOptions
          ? `${command.name()} [options]`
          : new Help().subcommandTerm(command),
    })
  operatorCommands(program, operator, async (call) => end(await perform(call)))
  contractCommand(program, openApi, end, context)
  profileCommands(program, end, context)
  completionCommand(program, end, context)
  operationCommands(program, context, end)
  prepareWhenChosen(program)
  return program
}

/** The streams for the option parser's help and errors. */
function outputTo({ stdout, stderr }: CommandContext): OutputConfiguration {
  const widthOf = ({ isTTY, columns = 80 }: ScreenStream) => (isTTY ? columns : 80)
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  }
}
