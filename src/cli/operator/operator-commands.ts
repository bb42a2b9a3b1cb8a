import type { Command } from 'commander'
import type { OperatorCommand } from '../../operator/command.ts'
import type { ConnectionOptions } from '../connection.ts'
import { LazyCommand } from '../lazy-command.ts'
import type { LocationOptions } from '../options.ts'

/** The commands of the operator, as the composition hands them to the command line. */
export interface OperatorTable {
  /** Of every command, by all its words. */
  summaries: Readonly<Record<string, string>>
  /** Of those that begin with the same word. */
  groups: Readonly<Record<string, string>>
  load(name: string): Promise<OperatorCommand>
}

/** Options that all commands on a store have, and those of commands that can ask a server instead. */
export type StoreOptions = LocationOptions & ConnectionOptions

/** A command of the operator that is to be performed. */
export interface OperatorCall {
  /** All its words, such as `keys create`. */
  name: string
  row: OperatorCommand
  /** The input of the row, not filled in. */
  input: Record<string, unknown>
  options: StoreOptions
}

/** A command for every command of the operator, in groups by first words. */
export function operatorCommands(
  program: Command,
  { summaries, groups, load }: OperatorTable,
  perform: (call: OperatorCall) => Promise<void>,
): void {
  const grouped = new Map<string, Command>()
  for (const [name, summary] of Object.entries(summaries)) {
    const [first = '', second] = name.split(' ')
    const parent = second === undefined ? program : (grouped.get(first) ?? group(first))
    const command = new LazyCommand(second ?? first, async () => {
      const { givenTo, shapeOperatorCommand } = await import('./shape-command.ts')
      const row = await load(name)
      shapeOperatorCommand(command, row)
      command.action(() => perform({ name, row, ...givenTo(command, row) }))
    })
    parent.addCommand(command.description(summary).copyInheritedSettings(parent))
  }

  function group(name: string): Command {
    const made = program.command(name).description(groups[name] ?? '')
    grouped.set(name, made)
    return made
  }
}
