import type { Command } from 'commander'
import table from '../../client/routes.json' with { type: 'json' }
import type { Tool } from '../../contract/contract.ts'
import type { CommandContext } from '../command-context.ts'
import { OperationCommand } from './operation-command.ts'

/** A command for every operation, grouped by area. */
export function operationCommands(
  program: Command,
  context: CommandContext,
  end: (code: number) => void,
): void {
  for (const [tool, { area, summary }] of Object.entries(table)) {
    const command = new OperationCommand(tool as Tool, async (chosen) => {
      const { shapeCommand } = await import('./command-shape.ts')
      const parameters = shapeCommand(chosen)
      chosen.action(async () => {
        const { performOperation } = await import('./operation-run.ts')
        end(await performOperation(chosen, parameters, context))
      })
    })
    program.addCommand(command.summary(summary).copyInheritedSettings(program).helpGroup(`${area}:`))
  }
}
