import { z } from 'zod'
import { SavedMark } from '../contract/shapes/creatives.ts'
import type { Mark } from '../domain/creatives/saving.ts'
import type { NamedAd } from '../domain/paid-ads/ad-kind.ts'
import { isExportedRow, savedOfRow } from '../ingest/own/exported-table.ts'
import { controlCharacterPaths } from '../text/control-characters.ts'
import { adPlatforms } from '../vocabulary/ad-platforms.ts'

/** An exported mark and its post or ad. */
export type BroughtMark = Mark & ({ postId: string } | NamedAd)

const Name = z.union([
  z.object({ postId: z.string().min(1).max(200) }),
  z.object({ platform: z.enum(adPlatforms), archiveId: z.string().regex(/^[0-9]{1,32}$/) }),
])
const Saved = z.object({ saved: SavedMark.nullish() })

/** The name of the marked post or ad, for messages and maps. */
export const markedName = (mark: BroughtMark): string =>
  'postId' in mark ? `the post ${mark.postId}` : `the ad ${mark.platform}/${mark.archiveId}`

/** Tolerance for wrong clocks. */
const wrongClock = 3_600_000

/** Parses the mark in a line or row of `export saved`, or says why it is refused. */
export function markIn(record: unknown): BroughtMark | string {
  const line = isExportedRow(record) ? savedOfRow(record) : record
  const name = Name.safeParse(line)
  if (!name.success)
    return 'neither a post nor an ad of an export: it has no postId, nor platform and archiveId'
  const parsed = Saved.safeParse(line)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`
  }
  const { saved } = parsed.data
  if (!saved) return 'nobody saved it: rivalscope export saved writes what an account did'
  const { savedAt, note, tags } = saved
  if (controlCharacterPaths(note, { multiline: true }).length > 0 || controlCharacterPaths(tags).length > 0)
    return 'its note or tags hold control characters or half a letter'
  if (Date.parse(savedAt) > Date.now() + wrongClock) return `savedAt is "${savedAt}", which lies ahead`
  return { ...name.data, savedAt, note: note || null, tags: [...new Set(tags)] }
}
