import { sql } from 'kysely'
import type { z } from 'zod'
import type { KeptCopy } from '../contract/shapes/creatives.ts'
import { type Database, rows } from '../storage/database.ts'

/** Copies of media by media id; media nobody asked to copy are left out. */
export async function keptShapes(
  db: Database,
  mediaIds: readonly string[],
): Promise<Map<string, z.output<typeof KeptCopy>>> {
  if (mediaIds.length === 0) return new Map()
  const found = await rows(
    db,
    sql<{
      mediaId: string
      status: 'pending' | 'stored' | 'removed-upstream' | 'failed'
      reason: string | null
      checkedAt: Date | null
      sha256: string | null
      contentType: string | null
      sizeBytes: number | null
      storedAt: Date | null
    }>`
      select k.media_id as "mediaId", k.status, k.reason, k.checked_at as "checkedAt", k.sha256,
        o.content_type as "contentType", o.size_bytes::float8 as "sizeBytes", k.stored_at as "storedAt"
      from kept_media k left join media_objects o using (sha256)
      where k.media_id = any(${`{${mediaIds.join(',')}}`}::uuid[])`,
  )
  return new Map(
    found.map(({ mediaId, status, reason, checkedAt, sha256, contentType, sizeBytes, storedAt }) => [
      mediaId,
      status === 'stored' && sha256 && contentType && sizeBytes && storedAt
        ? { status, url: `/media/${sha256}`, contentType, sizeBytes, sha256, storedAt: storedAt.toISOString() }
        : {
            status: status === 'stored' ? 'failed' : status,
            reason,
            checkedAt: checkedAt?.toISOString() ?? null,
          },
    ]),
  )
}
