import type { competitors } from '../../contract/competitors.ts'
import type { Reply } from '../../contract/operation.ts'
import { type MediaKind, mediaChanges, mediaItems, mediaSets } from '../../domain/catalogue/media.ts'
import type { RecordState } from '../../domain/catalogue/record.ts'
import { type CountryCode, evidenceOf, labelOfRecord } from '../listing-facts.ts'

type Answer = Reply<(typeof competitors)['get_competitor_media']>

/** The media of a listing, of one kind or all. */
export function competitorMedia(state: RecordState, kind: MediaKind | undefined): Answer {
  const { record } = state
  const wanted = <T extends { kind: MediaKind }>(item: T) => kind === undefined || item.kind === kind
  const sets = mediaSets.filter(wanted)
  return {
    app: labelOfRecord(record),
    country: record.country as CountryCode,
    items: mediaItems(state)
      .filter(wanted)
      .map((item) => ({
        ...item,
        firstSeenAt: new Date(item.firstSeenAt).toISOString(),
        lastSeenAt: new Date(item.lastSeenAt).toISOString(),
        kept: { status: 'not-kept', reason: 'media of listings are not copied', checkedAt: null },
      })),
    changes: mediaChanges(state)
      .filter(wanted)
      .map((change) => ({ ...change, at: new Date(change.at).toISOString() })),
    coverage: sets.map((set) => coverage(state, set)),
    evidence: record.evidence
      .filter((entry) => sets.some(({ field }) => entry.fields.includes(field)))
      .map((entry) => evidenceOf(entry, record.country)),
  }
}

function coverage(
  { record }: RecordState,
  { field, kind, device }: (typeof mediaSets)[number],
): Answer['coverage'][number] {
  const looked = record.evidence.find((entry) => entry.fields.includes(field))
  const value = record.listing[field]
  const found = Array.isArray(value) ? value.length > 0 : Boolean(value)
  return {
    kind,
    device,
    state: looked ? (found ? 'measured' : 'absent') : 'not-measured',
    sources: looked ? [looked.source] : [],
    lastLookedAt: looked?.observedAt ?? null,
  }
}
