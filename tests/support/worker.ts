import { type Running, start } from './command-line.ts'
import { type Installation, testDatabaseUrl } from './installation.ts'

/** A process that works on jobs: of PostgreSQL, or of the embedded store that it holds. */
export const startWork = (
  { location }: Installation,
  config: string,
  env: Record<string, string> = {},
): Running =>
  testDatabaseUrl
    ? start(['work', ...location, '--config', config, '--log-level', 'warn'], { env })
    : start(['serve', ...location, '--config', config, '--log-level', 'warn', '--port', '0'], { env })
