import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ArchivePolicy, pictureModes } from './jobs/media/settings.ts'
import { invalidMailVariable, WatchSettings } from './jobs/notifications/settings.ts'
import { Schedule } from './jobs/schedule.ts'
import { Retention } from './projections/retention/policies.ts'
import { MediaFetching } from './sources/media/settings.ts'
import { ModelSettings, SpeechSettings } from './sources/openai/settings.ts'
import { Sources } from './sources/settings.ts'
import { MediaStoreSettings } from './storage/open-media-store.ts'
import type { AdTokens } from './suppliers/ad-library.ts'
import { askedLibraryRow, askedPlatforms } from './vocabulary/ad-platforms.ts'

/** The `media` section: of what copies are kept, whence they are fetched, and where they lie. */
export const Media = z.strictObject({
  ...MediaFetching.shape,
  keep: ArchivePolicy.prefault({}),
  store: MediaStoreSettings.default({}),
})

/** The `web` section: how the web pages come by pictures of stores and networks, and who operates there (docs/web.md). */
const Web = z.strictObject({
  pictures: z.enum(pictureModes).default('proxy'),
  /** Accounts whose admins are operators on the pages (docs/web.md). */
  operators: z.array(z.string().min(1).max(200)).max(100).default([]),
})

const Configuration = z.strictObject({
  sources: Sources.prefault({}),
  schedule: Schedule.prefault({}),
  media: Media.prefault({}),
  web: Web.prefault({}),
  watches: WatchSettings.prefault({}),
  retention: Retention.prefault({}),
  speech: SpeechSettings.optional(),
  model: ModelSettings.optional(),
})

/**
 * How upstreams are asked and with which credentials, what is collected without being asked, what is kept of media, what
 * accounts watch, how long evidence is kept, and who hears and reads ads.
 */
export type Configuration = z.output<typeof Configuration> & { adTokens: AdTokens }

/** The file cannot be read, or says something that is not understood. */
export class ConfigurationError extends Error {}

/**
 * Reads a configuration file in YAML, of which JSON is a part. Without a file, the sources are asked as usual and
 * nothing is scheduled. Credentials come from the environment alone: files are shown around, and command lines are seen by
 * everybody.
 * @throws ConfigurationError naming every place that is wrong
 */
export async function readConfiguration(
  file: string | undefined,
  environment: Record<string, string | undefined>,
): Promise<Configuration> {
  const wrong = invalidMailVariable(environment)
  if (wrong !== undefined) throw new ConfigurationError(wrong)
  const parsed = Configuration.safeParse(file === undefined ? {} : ((await documentOf(file)) ?? {}))
  if (parsed.success) return { ...parsed.data, adTokens: adTokensIn(environment) }
  const places = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`)
  throw new ConfigurationError(`${file} is not understood:\n${places.join('\n')}`)
}

/** @throws ConfigurationError that names the variable and never its value */
function adTokensIn(environment: Record<string, string | undefined>): AdTokens {
  const secret = (name: string) => {
    const value = environment[name]?.trim() ?? ''
    if (!/^[\x21-\x7e]*$/.test(value))
      throw new ConfigurationError(`${name} holds characters that no token has`)
    return value === '' ? undefined : value
  }
  return Object.fromEntries(
    askedPlatforms.flatMap((platform) => {
      const { variables, asksOnlyIfTold } = askedLibraryRow(platform)
      const credential = variables.map(secret).filter((value) => value !== undefined)
      const unclear = asksOnlyIfTold && credential.find((word) => word !== 'yes' && word !== 'no')
      if (unclear) throw new ConfigurationError(`${variables[0]} is yes or no`)
      if (asksOnlyIfTold && credential[0] === 'no') return []
      if (credential.length > 0 && credential.length < variables.length)
        throw new ConfigurationError(`${variables.join(' and ')} go together`)
      return credential.length > 0 && credential.length === variables.length ? [[platform, credential]] : []
    }),
  )
}

async function documentOf(file: string): Promise<unknown> {
  const unreadable = (error: unknown) =>
    new ConfigurationError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  try {
    // Many commands have no configuration to read, and yaml is 72 modules.
    const { parseDocument } = await import('yaml')
    // Types beyond those of JSON are unknown tags, and those are warned of.
    const document = parseDocument(readFileSync(file, 'utf8'), { resolveKnownTags: false })
    const [mistake] = [...document.errors, ...document.warnings]
    if (mistake) throw mistake
    return document.toJS()
  } catch (error) {
    throw unreadable(error)
  }
}
