import type { CommandContext } from './cli/command-context.ts'
import { ConnectionError, type ConnectionOptions, connectionOf } from './cli/connection.ts'
import { withoutControls } from './cli/present/harmless-text.ts'
import { ProfileFileError } from './cli/profiles.ts'
import { relay } from './mcp/relay.ts'

/**
 * `rivalscope mcp`: the Model Context Protocol over standard input and output, against a running server. Loads none of
 * what serving needs, because clients start it anew for each conversation.
 */
export async function mcpOverStdio(options: ConnectionOptions, context: CommandContext): Promise<number> {
  const { env, stdin, stdout, stderr, signal } = context
  // A server may be anybody's: what it says must not steer the terminal.
  const note = (line: string) => void stderr.write(`rivalscope mcp: ${withoutControls(line)}\n`)
  try {
    if (options.key === '-')
      throw new ConnectionError(
        '--key: standard input is for the protocol here; use RIVALSCOPE_KEY or a profile',
      )
    const { server, key, warnings } = await connectionOf(options, env)
    warnings.forEach(note)
    await relay({ server, key, input: stdin, output: stdout, note, signal })
    return 0
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof ProfileFileError)) throw error
    note(error.message)
    return 2
  }
}
