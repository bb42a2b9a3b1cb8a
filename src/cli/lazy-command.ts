import { Command } from 'commander'

/**
 * A command that is given its arguments, options and help when it or its group is chosen, or everything is completed, so
 * that the overview of all is quick.
 */
export class LazyCommand extends Command {
  /** Gives it them, and what it does. */
  readonly prepare: () => Promise<void>
  /** Whether the overview says that it takes options. */
  isShownWithOptions = false

  constructor(name: string, prepare: () => Promise<void>) {
    super(name)
    this.prepare = prepare
  }
}

export function prepareWhenChosen(program: Command): void {
  program.hook('preSubcommand', async (_program, chosen) => {
    for (const command of [chosen, ...chosen.commands])
      if (command instanceof LazyCommand) await command.prepare()
  })
}
