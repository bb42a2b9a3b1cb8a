import { join } from 'node:path'
import { z } from 'zod'
import type { StoreLocation } from '../storage/open-store.ts'
import { given, type Input, wholeNumber } from './field-help.ts'

/** The directory of the embedded store. */
export const dataDirectory = (usual: string) =>
  given('<path>', 'directory of the embedded store', z.string().default(usual), {
    env: 'RIVALSCOPE_DATA_DIR',
  })

/** MiB below which PostgreSQL does not work well. */
const leastStoreMemory = 32

/** Where the store is. */
export const location = {
  dataDir: dataDirectory('.rivalscope'),
  databaseUrl: given('<url>', 'PostgreSQL to use instead of the embedded store', z.string().exactOptional(), {
    env: 'RIVALSCOPE_DATABASE_URL',
  }),
  storeMemory: given(
    '<MiB>',
    'memory the embedded store takes, as told by the process that starts it; 128 when left out',
    wholeNumber(leastStoreMemory, 1_048_576).exactOptional(),
    { env: 'RIVALSCOPE_STORE_MEMORY' },
  ),
  storeUser: given(
    '<name>',
    'user that owns the embedded store and runs it, where it is started by root; rivalscope, postgres or nobody when left out',
    z.string().exactOptional(),
    { env: 'RIVALSCOPE_STORE_USER' },
  ),
  mediaDir: given(
    '<path>',
    'directory of kept media; media/ in the data directory when left out',
    z.string().exactOptional(),
    { env: 'RIVALSCOPE_MEDIA_DIR' },
  ),
}

/** How upstreams are asked, and what is collected on a schedule. */
export const config = given(
  '<file>',
  'sources, schedule, kept media, retention: docs/collecting.md, docs/kept-media.md, docs/operations.md',
  z.string().exactOptional(),
  { env: 'RIVALSCOPE_CONFIG' },
)

export interface LocationOptions extends Input<typeof location> {
  config?: string
}

/** Wrong usage that no field can tell by itself. */
export class UsageError extends Error {}

/** @throws UsageError */
export function locationOf({ dataDir, databaseUrl, storeMemory, storeUser }: LocationOptions): StoreLocation {
  if (databaseUrl) {
    expectAddress('--database-url', databaseUrl)
    return { databaseUrl }
  }
  return {
    dataDir,
    ...(storeMemory === undefined ? {} : { memoryMiB: storeMemory }),
    ...(storeUser === undefined ? {} : { owner: storeUser }),
  }
}

/** @throws UsageError that does not repeat the address, which may hold a password */
export function expectAddress(option: string, address: string): void {
  if (!/^postgres(?:ql)?:\/\/./.test(address) || !URL.canParse(address))
    throw new UsageError(`${option} must be an address such as postgres://user@host:5432/database`)
}

/** The directory of kept media, unless the configuration names another place. */
export function mediaDirectoryOf({ dataDir, mediaDir }: Pick<LocationOptions, 'dataDir' | 'mediaDir'>): string {
  return mediaDir ?? join(dataDir, 'media')
}
