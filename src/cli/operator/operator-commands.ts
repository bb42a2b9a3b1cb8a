import type { Command } from 'commander'
import type { OperatorCommand } from '../../operator/command.ts'
import type { LocationOptions } from '../../operator/location.ts'
import type { ConnectionOptions } from '../connection.ts'
import { LazyCommand } from '../lazy-command.ts'

/** The commands of the operator, as the composition hands them to the command line. */
export interface OperatorTable {
  /** Summaries by the full name of the command: of commands that open their store themselves, and of all others. */
  standalone: Readonly<Record<string, string>>
  summaries: Readonly<Record<string, string>>
  /** The summary of each group of commands, by its first word. */
  groups: Readonly<Record<string, string>>
  load(name: string): Promise<OperatorCommand>
}

/** Options that all commands on a store have, and those of commands that can ask a server instead. */
export type StoreOptions = LocationOptions & ConnectionOptions

/** An operator command to be run. */
export interface OperatorCall {
  /** Its full name, such as `keys create`. */
  name: string
  row: OperatorCommand
  /** The input as typed, without defaults. */
  input: Record<string, unknown>
  options: StoreOptions
}

/** The name of the command of a group that needs no second word: nobody types it. */
export const withoutWord = '<files...>'

/** Adds every operator command to the program, grouped by its first word. */
export function operatorCommands(
  program: Command,
  { standalone, summaries, groups, load }: OperatorTable,
  perform: (call: OperatorCall) => Promise<void>,
): void {
  const grouped = new Map<string, Command>()
  for (const [name, summary] of Object.entries({ ...standalone, ...summaries })) {
    const [first = '', second] = name.split(' ')
    const isOfGroup = second !== undefined || first in groups
    const parent = isOfGroup ? (grouped.get(first) ?? group(first)) : program
    const isDefault = isOfGroup && second === undefined
    const command = new LazyCommand(isDefault ? withoutWord : (second ?? first), async () => {
      const { parsedInputOf, shapeOperatorCommand } = await import('./shape-command.ts')
      const row = await load(name)
      shapeOperatorCommand(command, row)
      command.action(() => perform({ name, row, ...parsedInputOf(command, row) }))
    })
    command.isShownWithOptions = name in standalone && !isDefault
    command.description(summary).copyInheritedSettings(parent)
    parent.addCommand(command, { isDefault, hidden: isDefault })
    if (isDefault)
      parent
        .usage('[options] <files...> | <kind> …')
        .addHelpText(
          'after',
          () => `\nWithout a kind:\n${command.helpInformation().replace(` ${withoutWord}`, '')}`,
        )
  }

  function group(name: string): Command {
    const made = program.command(name).description(groups[name] ?? '')
    grouped.set(name, made)
    return made
  }
}
