import { z } from 'zod'
import { bucketCredentials } from './bucket.ts'
import { MediaInBucket } from './media-in-bucket.ts'
import { MediaOnDisk } from './media-on-disk.ts'
import type { MediaStore } from './media-store.ts'

const Bucket = z.strictObject({
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  endpoint: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .regex(/^[^@?#]*$/, 'must hold no credentials, query or fragment'),
  region: z.string().min(1).default('us-east-1'),
  /** Prefix of every key. */
  prefix: z
    .string()
    .regex(/^([\w.-]+\/)*[\w.-]*$/, 'must be a path such as media or rivalscope/media')
    .default('media'),
})

/** The location of contents: a directory, by default the usual one, or an S3-compatible bucket. */
export const MediaStoreSettings = z.union([z.strictObject({ directory: z.string().min(1).optional() }), Bucket])
export type MediaStoreSettings = z.output<typeof MediaStoreSettings>

/**
 * Opens a media store; nothing is requested or created before the first use.
 * @param defaultDirectory used unless the settings name another place
 * @throws BucketCredentialsError when a bucket is to be used and the environment holds no credentials
 */
export function openMediaStore(
  settings: MediaStoreSettings,
  defaultDirectory: string,
  environment: NodeJS.ProcessEnv,
): MediaStore {
  if (!('bucket' in settings)) return new MediaOnDisk(settings.directory ?? defaultDirectory)
  const credentials = bucketCredentials(environment, `Media are kept in the bucket ${settings.bucket}`)
  return new MediaInBucket(settings, credentials)
}
