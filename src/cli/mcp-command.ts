import type { Command } from 'commander'
import { type ConnectionOptions, connectionHelp, connectionOptions } from './connection.ts'

/** `rivalscope mcp`, for clients that start a command instead of calling an address. */
export function mcpCommand(program: Command, run: (options: ConnectionOptions) => Promise<void>): void {
  const command = program
    .command('mcp')
    .description(
      'the Model Context Protocol on standard input and output, for agents, against a running server',
    )
    .addHelpText(
      'after',
      `\n${connectionHelp}\n\nExample, in the settings of a client:\n  ${example}\n\nClients that call addresses use /mcp of the server instead: see docs/agents.md.`,
    )
    .action(run)
  for (const option of connectionOptions()) command.addOption(option)
}

const example = '{ "command": "rivalscope", "args": ["mcp", "--profile", "work"] }'
