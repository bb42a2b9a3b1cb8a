import { type CommandName, type InputOf, loadCommand } from '../../src/commands.ts'
import type { World } from './world.ts'

/** A command with its input. */
export type CommandCall = { [Name in CommandName]: { command: Name; options: InputOf<Name> } }[CommandName]

/** The exit code of an operator's command, and its output. */
export interface CommandOutput {
  code: 0 | 1 | 2
  out: string
  notes: string
}

/** Runs a command of the operator on the store of a world, inside the process that holds it. */
export async function operate(
  { store, collecting, archive, notifications, retention }: World,
  call: CommandCall,
  {
    signal,
    environment = process.env,
  }: { signal: AbortSignal; environment?: NodeJS.ProcessEnv } = new AbortController(),
): Promise<CommandOutput> {
  const reported = { out: '', notes: '' }
  const terminal = {
    out: (text: string) => {
      reported.out += `${text}\n`
    },
    note: (text: string) => {
      reported.notes += `${text}\n`
    },
    progress: () => {},
  }
  const media = archive.store
  const context = {
    store,
    db: store.db,
    collecting: async () => collecting,
    media,
    notifications,
    retention,
    terminal,
    environment,
    stdin: undefined,
    directory: '',
    signal,
  }
  const row = await loadCommand(call.command)
  if ('runAlone' in row) throw new Error(`${call.command} opens its store itself`)
  return { code: await row.run(context, call.options), ...reported }
}
