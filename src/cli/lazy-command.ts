import { Command } from 'commander'

/**
 * A command that gets its arguments, options and help only when it or its group is chosen, or for completion, so that the
 * overview of all commands is quick.
 */
export class LazyCommand extends Command {
  /** Adds its arguments, options, help and action. */
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
