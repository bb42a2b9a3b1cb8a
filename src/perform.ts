import type { CommandContext } from './cli/command-context.ts'
import { type ConnectionOptions, connectionOf } from './cli/connection.ts'
import { flagOf } from './cli/operations/words.ts'
import type { OperatorCall } from './cli/operator/operator-commands.ts'
import { StreamTerminal } from './cli/terminal.ts'
import type { RemoteCommand } from './operator/command.ts'
import { UsageError } from './operator/location.ts'
import type { Terminal } from './operator/operator-context.ts'

/**
 * Performs a command of the operator: by itself, on a running server, or in the store that is named. What each needs is loaded
 * here, since all of it together takes longer than most commands.
 * @returns its exit code
 */
export async function performOperatorCommand(
  { name, row, input, options }: OperatorCall,
  context: CommandContext,
) {
  const terminal = new StreamTerminal(context)
  if ('runAlone' in row) return row.runAlone({ ...context, terminal }, input)
  const { server, key, profile } = options
  if (row.remotely && [server, key, profile].some((given) => given !== undefined))
    return performRemotely(row.remotely, input, options, terminal, context)
  if (row.asksSources) await (await import('./service.ts')).refuseOnDemoStore(options)
  const { performOnStore } = await import('./operate.ts')
  return performOnStore({ name, row, input, options }, terminal, context)
}

/** On a running server, with the key of an account: no store is opened here. */
async function performRemotely(
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
    const { explainOperationFailure } = await import('./cli/operations/failure-words.ts')
    const reported = explainOperationFailure(error, [])
    if (!reported) throw error
    terminal.note(reported.message)
    return reported.code
  }
}
