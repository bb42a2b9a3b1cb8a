import type { competitors } from '../../contract/competitors.ts'
import type { Reply } from '../../contract/operation.ts'
import type { StorefrontApp } from '../../domain/catalogue/app.ts'
import { type MediaKind, mediaChanges, mediaItems, mediaSets } from '../../domain/catalogue/media.ts'
import { fieldFact } from '../../domain/facts/fact.ts'
import { backingOf } from '../../domain/facts/merge.ts'
import { unsearched } from '../aso-facts.ts'
import { evidenceShapes } from '../evidence.ts'
import { aboutApp } from '../listing-facts.ts'

type Answer = Reply<(typeof competitors)['get_competitor_media']>

/** The media of a listing, of one kind or all. */
export function competitorMedia(app: StorefrontApp, kind: MediaKind | undefined): Answer {
  const { state, country } = app
  const wanted = <T extends { kind: MediaKind }>(item: T) => kind === undefined || item.kind === kind
  const sets = mediaSets.filter(wanted)
  return {
    ...aboutApp(app),
    items: (state ? mediaItems(state) : []).filter(wanted).map((item) => ({
      ...item,
      firstSeenAt: new Date(item.firstSeenAt).toISOString(),
      lastSeenAt: new Date(item.lastSeenAt).toISOString(),
      kept: { status: 'not-kept', reason: 'media of listings are not copied', checkedAt: null },
    })),
    changes: (state ? mediaChanges(state) : [])
      .filter(wanted)
      .map((change) => ({ ...change, at: new Date(change.at).toISOString() })),
    coverage: sets.map((set) => coverage(app, set)),
    evidence: evidenceShapes(
      (state?.record.evidence ?? []).filter((entry) => sets.some(({ field }) => entry.fields.includes(field))),
      country,
    ),
  }
}

function coverage(
  { state, failedChecks }: StorefrontApp,
  { field, kind, device }: (typeof mediaSets)[number],
): Answer['coverage'][number] {
  const looked = state && backingOf(state.record, field)
  const fact = fieldFact(state?.record ?? unsearched(failedChecks.has('lookup')), field)
  const value = state?.record.facts[field]
  const found = Array.isArray(value) ? value.length > 0 : Boolean(value)
  return {
    kind,
    device,
    state: looked ? (found ? 'measured' : 'absent') : 'not-measured',
    reason: fact.state === 'not-measured' ? fact.reason : null,
    sources: looked ? [looked.source] : [],
    lastLookedAt: looked?.observedAt ?? null,
  }
}
