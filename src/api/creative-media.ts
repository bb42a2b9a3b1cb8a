import type { z } from 'zod'
import type { CreativeMedia, KeptCopy, KeptStatus } from '../contract/shapes/creatives.ts'
import type { StatedMedium } from '../domain/creatives/media.ts'
import { type MediaOwner, mediaIdOf } from '../domain/media/media-id.ts'

type Copy = z.output<typeof KeptCopy>
type Status = z.output<typeof KeptStatus>

type MediaFact =
  | { state: 'measured'; value: readonly StatedMedium[]; evidence: number }
  | { state: 'absent'; evidence: number }
  | { state: 'not-measured' }

interface Shapes {
  mediaStatus: { status: Status; reason: string | null }
  media: z.output<typeof CreativeMedia>[]
}

/** The media of a creative and what became of them. @param kept copies by media id */
export function creativeMedia(owner: MediaOwner, media: MediaFact, kept: ReadonlyMap<string, Copy>): Shapes {
  if (media.state !== 'measured') {
    return {
      mediaStatus: { status: 'not-kept', reason: 'The source does not say what media it has.' },
      media: [],
    }
  }
  const { value, evidence } = media
  if (value.length === 0) return { mediaStatus: { status: 'text-only', reason: null }, media: [] }
  const shapes = value.map(({ kind, url, width, height, durationSeconds }, index) => {
    const mediaId = mediaIdOf(owner, kind, index + 1)
    return {
      mediaId,
      kind,
      position: index + 1,
      sourceUrl: url,
      width: optional(width, evidence),
      height: optional(height, evidence),
      durationSeconds: optional(durationSeconds, evidence),
      kept: kept.get(mediaId) ?? notAsked(url),
    }
  })
  return { mediaStatus: together(shapes.map((shape) => shape.kept)), media: shapes }
}

const optional = (value: number | undefined, evidence: number) =>
  value === undefined
    ? ({ state: 'not-measured', reason: 'not-carried' } as const)
    : ({ state: 'measured', value, evidence } as const)

const notAsked = (url: string | null): Copy => ({
  status: 'not-kept',
  reason: url === null ? 'The source gives no address to copy from.' : 'Nobody asked for a copy.',
  checkedAt: null,
})

/** The status that speaks for all, in the order in which each prevails. */
const prevailing = ['failed', 'removed-upstream', 'pending', 'not-kept'] as const

function together(copies: readonly Copy[]): Shapes['mediaStatus'] {
  for (const status of prevailing) {
    const found = copies.find((copy) => copy.status === status)
    if (found) return { status, reason: 'reason' in found ? found.reason : null }
  }
  return { status: 'stored', reason: null }
}
