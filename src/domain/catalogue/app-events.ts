import type { AppEvent, EventState } from '../../vocabulary/listing-fields.ts'
import { eventsInHistory } from './listing.ts'
import { fieldVersionsOf } from './listing-history.ts'
import { mergeUnchangedVersions } from './listing-versions.ts'
import { observedAtOf, type RecordState } from './record.ts'

export interface SeenEvent extends AppEvent {
  /** Milliseconds. */
  firstSeenAt: number
  lastSeenAt: number
  /** Whether the newest page that tells of events shows it. */
  current: boolean
  state: EventState
}

/** Most events in a reply: Apple shows ten at a time. */
const mostEvents = 200

/**
 * Every event that pages of a listing showed, as they told it last, at most 200: those of the newest page first, by start; then earlier
 * ones, the last seen first. Empty where none was seen.
 * @param now milliseconds
 */
export function eventsSeen(state: RecordState, now: number): SeenEvent[] {
  const lookedAt = Date.parse(observedAtOf(state.record, 'events') ?? '')
  const events = new Map<string, Omit<SeenEvent, 'state'>>()
  const versions = mergeUnchangedVersions('events', fieldVersionsOf(state, 'events'))
  for (const [index, { value, firstSeenAt, lastSeenAt }] of versions.entries()) {
    const current = index === versions.length - 1
    for (const event of current ? (state.record.facts.events ?? []) : eventsInHistory(value)) {
      const first = events.get(event.eventId)?.firstSeenAt ?? firstSeenAt
      events.set(event.eventId, { ...event, firstSeenAt: first, lastSeenAt, current })
    }
  }
  return [...events.values()]
    .map((event) => ({ ...event, state: stateOf(event, lookedAt, now) }))
    .sort(
      (one, other) =>
        Number(other.current) - Number(one.current) ||
        (one.current ? 0 : other.lastSeenAt - one.lastSeenAt) ||
        (one.startsAt < other.startsAt ? -1 : 1),
    )
    .slice(0, mostEvents)
}

function stateOf(
  { startsAt, endsAt, current }: Omit<SeenEvent, 'state'>,
  lookedAt: number,
  now: number,
): EventState {
  const end = endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt)
  if (current) return end <= now ? 'over' : Date.parse(startsAt) > now ? 'upcoming' : 'running'
  return end <= lookedAt ? 'over' : endsAt === null ? 'gone' : 'taken-down'
}
