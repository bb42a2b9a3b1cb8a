import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { appInStorefront } from '../catalogue/app.ts'
import { availabilityInWords, confirmedAt, type Gap } from '../catalogue/availability.ts'
import type { FoundEvent, Watch, WatchDefinition } from './watch.ts'

type OfAvailability = Watch & { definition: Extract<WatchDefinition, { kind: 'availability' }> }

/**
 * Apps that a storefront no longer lists, that no storefront asked lists, and that are back. A single miss is no event. Absences are numbered
 * from the start of the watch: evidence that is stored late can move their times, but must not make a new event.
 */
export async function eventsInAvailability(
  db: Database,
  { since, definition: { country } }: OfAvailability,
  apps: ReadonlyMap<string, string>,
): Promise<FoundEvent[]> {
  const found: FoundEvent[] = []
  for (const [storeId, name] of await missedAmong(db, apps, country)) {
    const app = await appInStorefront(db, storeId, country)
    // Nothing was ever removed of an app that nobody has seen.
    if (!app) continue
    const { availability } = app
    const confirmed = availability.gaps.flatMap((gap) => {
      const at = confirmedAt(gap)
      return at !== undefined && gap.lastSeenAt !== null ? [{ gap, at }] : []
    })
    const after = confirmed.filter(({ gap, at }) => Math.max(at, gap.backAt ?? 0) > since.getTime()).reverse()
    for (const [index, { gap, at }] of after.entries()) {
      const event = (what: string, words: string, observedAt: number): FoundEvent => ({
        key: `${storeId} ${country} ${what} ${index + 1}`,
        title: `${name}: ${words}`,
        page: `/apps/${storeId}?country=${country}`,
        evidence: { storeId, country, ...toldOf(gap), askedSince: availability.askedSince },
        observedAt: new Date(observedAt),
      })
      const isNow = gap === availability.gap
      if (at > since.getTime())
        found.push(event('not-found', `not found in the storefront ${country} since ${day(gap.firstAt)}`, at))
      if (isNow && availability.state === 'probably-removed' && (availability.since ?? 0) > since.getTime())
        found.push(event('removed', availabilityInWords(country, availability), availability.since ?? at))
      if (gap.backAt !== null && gap.backAt > since.getTime())
        found.push(event('back', `back in the storefront ${country} since ${day(gap.backAt)}`, gap.backAt))
    }
  }
  return found.sort((one, other) => one.observedAt.getTime() - other.observedAt.getTime())
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)
const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const toldOf = ({ lastSeenAt, firstAt, lastAt, misses, backAt, first, last }: Gap) => ({
  lastSeenAt: instant(lastSeenAt),
  firstMissedAt: instant(firstAt),
  lastMissedAt: instant(lastAt),
  misses,
  backAt: instant(backAt),
  readingIds: [...new Set([first.readingId, last.readingId])],
})

/** Those of the apps that the storefront missed at least once. */
async function missedAmong(
  db: Database,
  apps: ReadonlyMap<string, string>,
  country: string,
): Promise<[string, string][]> {
  const ids = [...apps.keys()]
  if (ids.length === 0) return []
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select distinct store_id::text as "storeId" from missed_apps
      where country = ${country} and store_id in (${sql.join(ids.map((id) => bigintId(id)))})`,
  )
  const missed = new Set(found.map(({ storeId }) => storeId))
  return [...apps].filter(([storeId]) => missed.has(storeId))
}
