import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** The environment file of the units in `deploy/systemd`, and the data directory they use by default. */
const installed = { variables: '/etc/rivalscope/rivalscope.env', dataDir: '/var/lib/rivalscope' }

/** Commands that create a store of their own, or that the units start themselves. */
const makers = new Set(['serve', 'work', 'demo'])

/**
 * The variables of the installed units, for a command that names no store: those that the user may read. Undefined where the
 * command names a store, the working directory has one in `.rivalscope`, or no units are installed.
 * @param args the command line, without the program
 */
export function variablesOfInstallation(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  directory: string,
): Record<string, string> | undefined {
  const [command = ''] = args
  const namesOne =
    args.some((arg) => /^--(?:data-dir|database-url|server|profile)(?:=|$)/.test(arg)) ||
    ['RIVALSCOPE_DATA_DIR', 'RIVALSCOPE_DATABASE_URL', 'RIVALSCOPE_SERVER'].some((name) => env[name])
  if (namesOne || makers.has(command) || existsSync(join(directory, '.rivalscope'))) return undefined
  const variables = readVariables(installed.variables)
  if (!variables && !existsSync(join(installed.dataDir, 'postgresql'))) return undefined
  return { RIVALSCOPE_DATA_DIR: installed.dataDir, ...variables }
}

/** Rivalscope's variables in an environment file; undefined where there is no such file, or the user may not read it. */
function readVariables(file: string): Record<string, string> | undefined {
  try {
    const found = Object.entries(parseEnv(readFileSync(file, 'utf8')))
    return Object.fromEntries(
      found.flatMap(([name, value]) =>
        name.startsWith('RIVALSCOPE_') && value !== undefined ? [[name, value]] : [],
      ),
    )
  } catch {
    return undefined
  }
}
