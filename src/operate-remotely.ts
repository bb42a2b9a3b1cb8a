import type { CommandContext } from './cli/command-context.ts'
import { type ConnectionOptions, connectionOf } from './cli/connection.ts'
import { explainOperationFailure } from './cli/operations/failure-words.ts'
import { flagOf } from './cli/operations/words.ts'
import { UsageError } from './cli/options.ts'
import type { RemoteCommand } from './operator/command.ts'
import type { Terminal } from './operator/terminal.ts'

/** Performs a command of the operator on a running server, with the key of an account: no store is opened here. */
export async function operateRemotely(
  { run, onlyInStore }: RemoteCommand,
  input: Record<string, unknown>,
  connection: ConnectionOptions,
  terminal: Terminal,
  { env, directory, signal }: CommandContext,
): Promise<number> {
  try {
    const { server, key, warnings } = await connectionOf(connection, env)
    for (const warning of warnings) terminal.note(`warning: ${warning}`)
    if (key === undefined)
      throw new UsageError(`no key for ${server}: give --key, or name a --profile that has one`)
    if (onlyInStore?.fields.some((field) => field in input))
      throw new UsageError(
        `${onlyInStore.fields.map(flagOf).join(' and ')} go with a store: ${onlyInStore.because}`,
      )
    return await run({ server, key, terminal, directory, signal }, input)
  } catch (error) {
    const reported = explainOperationFailure(error, [])
    if (!reported) throw error
    terminal.note(reported.message)
    return reported.code
  }
}
