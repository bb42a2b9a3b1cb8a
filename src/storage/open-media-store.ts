import { z } from 'zod'
import { MediaInBucket } from './media-in-bucket.ts'
import { MediaOnDisk } from './media-on-disk.ts'
import type { MediaStore } from './media-store.ts'

const Bucket = z.strictObject({
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  endpoint: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .regex(/^[^@?#]*$/, 'must hold no credentials, query or fragment'),
  region: z.string().min(1).default('us-east-1'),
  /** Goes before every key. */
  prefix: z
    .string()
    .regex(/^([\w.-]+\/)*[\w.-]*$/, 'must be a path such as media or rivalscope/media')
    .default('media'),
})

/** Where contents lie: in a directory, the usual one unless it is named, or in a bucket that speaks S3. */
export const MediaStoreSettings = z.union([z.strictObject({ directory: z.string().min(1).optional() }), Bucket])
export type MediaStoreSettings = z.output<typeof MediaStoreSettings>

/** A bucket is configured and nothing says who asks it. */
export class MediaCredentialsError extends Error {}

/**
 * Opens a store of media; nothing is asked or made before the first use.
 * @param usualDirectory where contents lie unless the settings say otherwise
 * @throws MediaCredentialsError when a bucket is to be used and the environment holds no credentials
 */
export function openMediaStore(
  settings: MediaStoreSettings,
  usualDirectory: string,
  environment: NodeJS.ProcessEnv,
): MediaStore {
  if (!('bucket' in settings)) return new MediaOnDisk(settings.directory ?? usualDirectory)
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = environment
  if (!accessKeyId || !secretAccessKey) {
    throw new MediaCredentialsError(
      `Media are kept in the bucket ${settings.bucket}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    )
  }
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  return new MediaInBucket(settings, credentials)
}
