import { hash } from 'node:crypto'
import { z } from 'zod'
import { BackupError } from './error.ts'

/** The version number of the backup format. A backup with a higher number comes from a newer version and is refused. */
export const formatNumber = 1
/** The largest manifest that is read, in bytes. */
export const mostManifestBytes = 32 * 1024 * 1024

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

/** A complete file of a backup. */
const BackupPart = z.strictObject({
  path: z.string().regex(/^tables\/[a-z0-9_]+\.\d{4,6}\.zst$/),
  sha256: Hash,
  sizeBytes: z.int().min(0),
})
export type BackupPart = z.output<typeof BackupPart>

const Rows = z.strictObject({
  rows: z.int().min(0),
  /** As `Content.sum`. */
  sum: z.string().regex(/^[0-9a-f]{16}$/),
  /** The rows as COPY writes them in text form, compressed with zstd and split into files. */
  parts: z.array(BackupPart).min(1),
})

const Table = Rows.extend({
  name: Name,
  columns: z.array(Name).min(1),
  months: z.array(z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)),
  numbered: z
    .strictObject({ column: Name, lastValue: z.string().regex(/^\d{1,19}$/), isCalled: z.boolean() })
    .nullable(),
})

const BackupManifest = z.strictObject({
  format: z.literal(formatNumber),
  /** The version of Rivalscope that wrote it. */
  version: z.string(),
  /** The time whose state the backup holds. */
  takenAt: z.iso.datetime(),
  /** PostgreSQL's `server_version`. */
  postgresql: z.string(),
  /** All migrations of the store, in order. */
  migrations: z.array(z.string().regex(/^\w+$/)).min(1),
  /** Tables that others refer to come first. */
  tables: z.array(Table),
  /** Unfinished jobs of the queue. */
  jobs: Rows,
  media: z.strictObject({
    objects: z.int().min(0),
    bytes: z.int().min(0),
    /** Hashes of media that the store names and the media store did not have. */
    missing: z.array(Hash),
  }),
})
export type BackupManifest = z.output<typeof BackupManifest>

const Sealed = z.strictObject({ sha256: Hash, manifest: z.unknown() })

/** Returns a manifest as text, with a hash of itself. */
export function sealManifest(manifest: BackupManifest): string {
  return `${JSON.stringify({ sha256: hash('sha256', JSON.stringify(manifest)), manifest })}\n`
}

/** Parses a manifest. @param name of the backup. @throws BackupError when it was changed, or has another format version */
export function parseManifest(text: string, name: string): BackupManifest {
  const damaged = new BackupError(`The manifest of the backup ${name} is damaged. Restore another backup.`)
  let parsed: z.output<typeof Sealed>
  try {
    parsed = Sealed.parse(JSON.parse(text))
  } catch {
    throw damaged
  }
  if (hash('sha256', JSON.stringify(parsed.manifest)) !== parsed.sha256) throw damaged
  const { format } = z.looseObject({ format: z.int().optional() }).parse(parsed.manifest)
  if (format !== undefined && format > formatNumber)
    throw new BackupError(
      `The backup ${name} was written by a newer version of Rivalscope (its form has the number ${format}, and this version knows ${formatNumber}). Restore it with that version.`,
    )
  const manifest = BackupManifest.safeParse(parsed.manifest)
  if (!manifest.success) throw damaged
  return manifest.data
}
