import { Command, Option } from 'commander'
import type { CommandEntry } from '../../operator/commands.ts'

/** The commands of the operator, as the composition hands them to the command line. */
export interface OperatorTable {
  commands: Readonly<Record<string, CommandEntry>>
  groups: Readonly<Record<string, string>>
}

/** An option of a field. */
export class FieldOption extends Option {
  /** What it usually is, for completion; it may be something else. */
  usually: readonly string[] | undefined
}

/** One command of the operator. It has no options yet: `shapeOperatorCommand` gives it those of its row. */
export class OperatorCommand extends Command {
  /** All its words, such as `keys create`. */
  readonly row: string
  readonly entry: CommandEntry

  constructor(name: string, row: string, entry: CommandEntry) {
    super(name)
    this.row = row
    this.entry = entry
    this.description(entry.about)
  }
}

/**
 * A command for every row of the table, in groups by first words. What each takes is looked up when it or its group is
 * chosen, so that the overview of all is quick.
 * @param prepare gives a command its options and what it does
 */
export function operatorCommands(
  program: Command,
  { commands, groups }: OperatorTable,
  prepare: (command: OperatorCommand) => Promise<void>,
): void {
  const grouped = new Map<string, Command>()
  for (const [name, entry] of Object.entries(commands)) {
    const [first = '', second] = name.split(' ')
    const parent = second === undefined ? program : (grouped.get(first) ?? group(first))
    const command = new OperatorCommand(second ?? first, name, entry)
    parent.addCommand(command.copyInheritedSettings(parent))
  }
  program.hook('preSubcommand', async (_program, chosen) => {
    for (const command of [chosen, ...chosen.commands])
      if (command instanceof OperatorCommand) await prepare(command)
  })

  function group(name: string): Command {
    const made = program.command(name).description(groups[name] ?? '')
    grouped.set(name, made)
    return made
  }
}
