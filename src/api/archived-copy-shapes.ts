import type { z } from 'zod'
import type { KeptCopy, KeptStatus } from '../contract/shapes/creatives.ts'
import { operatorId } from '../domain/accounts/keys.ts'
import type { StatedMedium } from '../domain/creatives/media.ts'
import { type ArchivedRow, archivedRows } from '../domain/media/queries.ts'
import type { Database } from '../storage/database.ts'

type Copy = z.output<typeof KeptCopy>
type Status = z.output<typeof KeptStatus>

const nobodyAsked = 'Media are copied once the post or ad is saved.'

/**
 * The copy of each of these media, or why there is none; one entry for every id.
 * @param accountId who sees the reply; requests of other accounts are not visible
 */
export async function archivedCopyShapes(
  db: Database,
  accountId: string,
  mediaIds: readonly string[],
): Promise<Map<string, Copy>> {
  const none: Copy = { status: 'not-kept', reason: nobodyAsked, checkedAt: null }
  const shapes = new Map<string, Copy>(mediaIds.map((mediaId) => [mediaId, none]))
  if (mediaIds.length === 0) return shapes
  const viewer = accountId === operatorId ? undefined : accountId
  for (const row of await archivedRows(db, mediaIds, viewer)) shapes.set(row.mediaId, copyOf(row))
  return shapes
}

/** The path at which archived content is served. */
const mediaAddress = (sha256: string) => `/media/${sha256}`

/** Explains that retention removed a copy, for accounts that have not saved its post or ad. */
const letGo = (at: Date) =>
  `A copy was kept until ${at.toISOString().slice(0, 10)}: this installation keeps media for a time only, once a post or ad is not seen any more. Saving it has it copied again, where its address still answers.`

function copyOf({ status, reason, checkedAt, releasedAt, ...content }: ArchivedRow): Copy {
  if (status !== 'stored') {
    const why = status === 'not-kept' && releasedAt ? (reason ?? letGo(releasedAt)) : reason
    return { status, reason: why, checkedAt: checkedAt?.toISOString() ?? null }
  }
  const { sha256, storedAt, contentType, sizeBytes } = content
  if (sha256 === null || storedAt === null || contentType === null || sizeBytes === null)
    throw new Error(`The stored copy ${content.mediaId} has no content.`)
  return {
    status,
    url: mediaAddress(sha256),
    contentType,
    sizeBytes,
    sha256,
    storedAt: storedAt.toISOString(),
  }
}

/** The first of these statuses that any copy has is the combined one; `stored` when none has. */
const worstFirst = ['failed', 'removed-upstream', 'pending', 'not-kept'] as const

/**
 * The combined status of all media of one creative.
 * @param stated media stated by the source: undefined where it does not carry them, null or empty where there are none
 * @param copies the copy of each of them
 */
export function mediaStatusOf(
  stated: readonly StatedMedium[] | null | undefined,
  copies: readonly Copy[],
): { status: Status; reason: string | null } {
  if (stated === undefined) return { status: 'not-kept', reason: 'The source does not tell what media it has.' }
  if (stated === null || stated.length === 0) return { status: 'text-only', reason: null }
  for (const status of worstFirst) {
    const first = copies.find((copy) => copy.status === status)
    if (first) return { status, reason: 'reason' in first ? first.reason : null }
  }
  return { status: 'stored', reason: null }
}
