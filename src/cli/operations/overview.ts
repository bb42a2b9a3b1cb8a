import type { Command } from 'commander'
import table from '../../client/routes.json' with { type: 'json' }
import type { Tool } from '../../contract/contract.ts'
import type { CommandContext } from '../command-context.ts'
import { OperationCommand } from './operation-command.ts'

/**
 * A command for every operation, grouped by area. What each takes is looked up when it is chosen, so that the overview of
 * all is quick.
 */
export function operationCommands(
  program: Command,
  context: CommandContext,
  end: (code: number) => void,
): void {
  for (const [tool, { area, summary }] of Object.entries(table)) {
    const command = new OperationCommand(tool as Tool, summary)
    program.addCommand(command.copyInheritedSettings(program).helpGroup(`${area}:`))
  }
  program.hook('preSubcommand', async (_program, command) => {
    if (command instanceof OperationCommand) await prepare(command, context, end)
  })
}

/** Gives a command its options and what it does. */
async function prepare(
  command: OperationCommand,
  context: CommandContext,
  end: (code: number) => void,
): Promise<void> {
  const { shapeCommand } = await import('./command-shape.ts')
  const parameters = shapeCommand(command)
  command.action(async () => {
    const { performOperation } = await import('./operation-run.ts')
    end(await performOperation(command, parameters, context))
  })
}
