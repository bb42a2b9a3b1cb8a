import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { KeptMedia } from './jobs/media/kept-media.ts'
import { Schedule } from './jobs/schedule.ts'
import { MediaFetching } from './sources/media/settings.ts'
import { ModelSettings, SpeechSettings } from './sources/openai/settings.ts'
import { Sources } from './sources/settings.ts'
import { MediaStoreSettings } from './storage/open-media-store.ts'

/** The `media` section: of what copies are kept, whence they are fetched, and where they lie. */
export const Media = z.strictObject({
  ...MediaFetching.shape,
  keep: KeptMedia.prefault({}),
  store: MediaStoreSettings.default({}),
})

const Configuration = z.strictObject({
  sources: Sources.prefault({}),
  schedule: Schedule.prefault({}),
  media: Media.prefault({}),
  speech: SpeechSettings.optional(),
  model: ModelSettings.optional(),
})

/** How upstreams are asked, what is collected without being asked, what is kept of media, and who hears and reads ads. */
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
  const unreadable = (error: unknown) =>
    new ConfigurationError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  try {
    // Types beyond those of JSON are unknown tags, and those are warned of.
    const document = parseDocument(readFileSync(file, 'utf8'), { resolveKnownTags: false })
    const [mistake] = [...document.errors, ...document.warnings]
    if (mistake) throw mistake
    return document.toJS()
  } catch (error) {
    throw unreadable(error)
  }
}
