import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { mcpCommand } from './cli/mcp-command.ts'
import { buildProgram } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupted.abort(new Error(signal)))

// Help and refusals, too, may be read in part only.
process.stdout.on('error', () => process.exit())
process.stderr.on('error', () => {})

const load = async () => (await import('./actions.ts')).actionsOn(interrupted.signal)
const loadRelay = async () => (await import('./mcp-relay.ts')).mcpOverStdio

try {
  const end = (code: number) => {
    process.exitCode = code
  }
  const program = buildProgram(load, version, end, interrupted.signal)
  mcpCommand(program, async (options) => end(await (await loadRelay())(options, interrupted.signal)))
  // Only a command that is chosen has its options looked up: `help NAME` is `NAME --help`.
  const [first, ...named] = process.argv.slice(2)
  const asksHelp = first === 'help' && program.commands.some((command) => command.name() === named[0])
  await program.parseAsync(asksHelp ? [...named, '--help'] : process.argv.slice(2), { from: 'user' })
} catch (error) {
  process.exitCode = await failed(error)
}

/** Tells why a command failed. The option parser has spoken for itself. */
async function failed(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const { explainFailure } = await import('./failures.ts')
  const { message, code } = explainFailure(error)
  process.stderr.write(`${message}\n`)
  return code
}
