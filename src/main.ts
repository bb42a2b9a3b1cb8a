import { constants, setPriority } from 'node:os'
import { variablesOfInstallation } from './cli/installed.ts'
import { runCommandLine } from './command-line.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupted.abort(new Error(signal)))

// Somebody reads the first lines and goes away, as `head` does: there is nobody left to answer.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.stderr.on('error', () => {})

const words = process.argv.slice(2)
Object.assign(process.env, variablesOfInstallation(words, process.env, process.cwd()))
process.exitCode = await runCommandLine(words, {
  env: process.env,
  directory: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
  lowerPriority: () => setPriority(constants.priority.PRIORITY_LOW),
})
