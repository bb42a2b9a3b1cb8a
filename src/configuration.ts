import { readFileSync } from 'node:fs'
import { parse, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { Schedule } from './jobs/schedule.ts'
import { Sources } from './sources/settings.ts'

const Configuration = z.strictObject({
  sources: Sources.prefault({}),
  schedule: Schedule.prefault({}),
})

/** How upstreams are asked, and what is collected without being asked. */
export type Configuration = z.output<typeof Configuration>

/** The file cannot be read, or says something that is not understood. */
export class ConfigurationError extends Error {}

/**
 * Reads a configuration file in YAML, of which JSON is a part. Without a file, the sources are asked as usual and
 * nothing is scheduled.
 * @throws ConfigurationError naming every place that is wrong
 */
export function readConfiguration(file: string | undefined): Configuration {
  const parsed = Configuration.safeParse(file === undefined ? {} : (documentOf(file) ?? {}))
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`)
  throw new ConfigurationError(`${file} is not understood:\n${places.join('\n')}`)
}

function documentOf(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof YAMLParseError || (error instanceof Error && 'code' in error))
      throw new ConfigurationError(`${file} cannot be read: ${error.message}`)
    throw error
  }
}
