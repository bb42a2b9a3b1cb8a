import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** Where the units of `deploy/systemd` have their variables, and their data where the variables name no other place. */
const installed = { variables: '/etc/rivalscope/rivalscope.env', dataDir: '/var/lib/rivalscope' }

/** Commands that make a store of their own, or are what the units start. */
const makers = new Set(['serve', 'work', 'demo'])

/**
 * The variables of a command that names no store, on a machine where the units are installed: theirs, as far as whoever runs it may
 * read them. Undefined where it names one, has one in `.rivalscope` of its folder, or there is no installation.
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

/** Ours among the variables of a file; undefined where there is none, or it is not this user's to read. */
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
