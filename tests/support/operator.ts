import type { OperatorCommand } from '../../src/operator/command-row.ts'
import { type CommandName, type InputOf, operatorCommands } from '../../src/operator/commands.ts'
import type { World } from './world.ts'

/** A command with what it is called with. */
export type CommandCall = { [Name in CommandName]: { command: Name; options: InputOf<Name> } }[CommandName]

/** What a command of the operator ended with, and what it told. */
export interface CommandOutput {
  code: 0 | 1
  out: string
  notes: string
}

/** Performs a command of the operator on the store of a world, as the process that holds it does. */
export async function operate(
  { store, collecting, archive }: World,
  call: CommandCall,
  { signal } = new AbortController(),
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
  const context = { store, db: store.db, collecting, media, terminal, stdin: undefined, directory: '', signal }
  const row: OperatorCommand = await operatorCommands[call.command].load()
  return { code: await row.run(context, call.options), ...reported }
}
