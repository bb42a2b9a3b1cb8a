import type { Command } from 'commander'
import table from '../../client/routes.json' with { type: 'json' }
import type { Tool } from '../../contract/contract.ts'
import type { CommandContext } from '../command-context.ts'
import { LazyCommand } from '../lazy-command.ts'
import { commandOfTool } from './words.ts'

/** The command of one operation. */
export class OperationCommand extends LazyCommand {
  readonly tool: Tool

  constructor(tool: Tool, prepare: (command: OperationCommand) => Promise<void>) {
    super(commandOfTool(tool), () => prepare(this))
    this.tool = tool
  }

  /** A flag takes `true` or `false` after it and nothing else, so that the next word can be an argument. */
  override parseOptions(given: string[]) {
    const args: string[] = []
    for (let at = 0; at < given.length; at += 1) {
      const word = given[at] ?? ''
      if (word === '--') return super.parseOptions([...args, ...given.slice(at)])
      const option = this.options.find(({ long }) => long === word)
      const next = given[at + 1]
      if (option?.optional) {
        const said = next === 'true' || next === 'false'
        args.push(`${word}=${said ? next : 'true'}`)
        if (said) at += 1
      } else if (option?.required && next !== undefined) {
        args.push(word, next)
        at += 1
      } else args.push(word)
    }
    return super.parseOptions(args)
  }
}

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
