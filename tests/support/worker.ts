import { type Running, start } from './command-line.ts'
import type { Installation } from './installation.ts'

/** Starts a worker process. */
export const startWork = (
  { location }: Installation,
  config: string,
  env: Record<string, string> = {},
): Running => start(['work', ...location, '--config', config, '--log-level', 'warn'], { env })
