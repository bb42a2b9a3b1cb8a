import { CommanderError } from 'commander'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import type { CommandContext } from './cli/command-context.ts'
import { mcpCommand } from './cli/mcp-command.ts'
import { buildProgram, type ProgramParts } from './cli/program.ts'
import { operatorTable } from './commands.ts'

/** Names that commands had before. They work for one more version; help and completion show the new ones alone. */
const formerNames: Readonly<Record<string, string>> = { ways: 'channels' }

/**
 * Performs one command with its words.
 * @returns its exit code: 0 done, 1 failed, 2 wrong usage, 130 or 143 when it was interrupted
 */
export async function runCommandLine(typed: readonly string[], context: CommandContext): Promise<number> {
  let code = 0
  const end = (given: number) => {
    code = given
  }
  const parts: ProgramParts = {
    version: manifest.version,
    operator: operatorTable,
    perform: async (call) => (await import('./perform.ts')).performOperatorCommand(call, context),
    openApi: async () => (await import('./http/openapi.ts')).openApiDocument(),
  }
  const loadRelay = async () => (await import('./mcp-relay.ts')).mcpOverStdio
  try {
    const program = buildProgram(parts, end, context)
    mcpCommand(program, async (options) => end(await (await loadRelay())(options, context)))
    // Only a command that is chosen has its options looked up: `help NAME` is `NAME --help`.
    const words = typed.map((word, place) => (place === 0 ? (formerNames[word] ?? word) : word))
    const [first, ...named] = words
    const asksHelp = first === 'help' && program.commands.some((command) => command.name() === named[0])
    await program.parseAsync(asksHelp ? [...named, '--help'] : words, { from: 'user' })
    return code
  } catch (error) {
    // The option parser has spoken for itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { explainFailure } = await import('./failures.ts')
    const explanation = explainFailure(error)
    context.stderr.write(`${explanation.message}\n`)
    return explanation.code
  }
}
