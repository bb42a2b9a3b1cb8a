import type { z } from 'zod'
import type { AsOf } from '../contract/shapes/as-of.ts'
import type { Schedule } from '../jobs/schedule.ts'
import type { EvidenceArea } from '../vocabulary/evidence-areas.ts'
import { replyWithHead } from './reply-json.ts'

type AsOfShape = z.output<typeof AsOf>

const hourMs = 3_600_000
/** Fields of replies that say when evidence was observed. */
const evidenceTimes: ReadonlySet<string> = new Set([
  'observedAt',
  'lastObservedAt',
  'capturedAt',
  'newestPageAt',
  'newestObservationAt',
  'newestAt',
  'lastAt',
  'lastSeenAt',
  'lastLookedAt',
])

const newest = new WeakMap<object, string | null>()

/**
 * A reply with `asOf` in its head. It is made of the reply alone and asks nothing. While `asOf` stays the same, the same reply answers
 * with the same object, so that what is kept of remembered replies is used.
 */
export function withAsOf(
  reply: object,
  areas: readonly EvidenceArea[],
  schedule: Schedule | undefined,
  now: Date,
): object {
  let at = newest.get(reply)
  if (at === undefined) {
    at = newestTimeIn(reply)
    newest.set(reply, at)
  }
  const country = 'country' in reply && typeof reply.country === 'string' ? reply.country : undefined
  return replyWithHead(reply, { asOf: asOf(at, turnHours(schedule, areas, country), now) })
}

/** @param hours between two turns of what collects this; undefined where nothing does */
export function asOf(newestEvidenceAt: string | null, hours: number | undefined, now: Date): AsOfShape {
  const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length)
  if (newestEvidenceAt === null) return { today, newestEvidenceAt, state: 'unknown', since: null }
  if (hours === undefined) return { today, newestEvidenceAt, state: 'not-scheduled', since: null }
  const after = (turns: number) => new Date(Date.parse(newestEvidenceAt) + turns * hours * hourMs)
  for (const [state, turns] of [
    ['late', 2],
    ['due', 1],
  ] as const)
    if (after(turns) <= now) return { today, newestEvidenceAt, state, since: after(turns).toISOString() }
  return { today, newestEvidenceAt, state: 'fresh', since: null }
}

/**
 * Hours between two turns of the schedule for some areas: the longest of them, since the newest evidence may be of any, so that nothing
 * is called late that is not.
 */
export function turnHours(
  schedule: Schedule | undefined,
  areas: readonly EvidenceArea[],
  country: string | undefined,
): number | undefined {
  const here = ({ countries }: { countries: readonly string[] }) => !country || countries.includes(country)
  const { charts = [], apps, keywords, estimates } = schedule ?? {}
  const turns: Record<EvidenceArea, readonly number[]> = {
    apps: apps && here(apps) ? [24 * apps.everyDays] : [],
    charts: charts.filter(here).map(({ everyHours }) => everyHours),
    keywords: keywords ? [keywords.everyHours] : [],
    estimates: estimates ? [estimates.everyHours] : [],
    posts: [],
    ads: [],
  }
  const found = areas.flatMap((area) => turns[area])
  return found.length > 0 ? Math.max(...found) : undefined
}

/** What is computed here was not observed: it is as old as what it rests on. */
function newestTimeIn(reply: object): string | null {
  let found: string | null = null
  const open: object[] = [reply]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const one of value) if (typeof one === 'object' && one !== null) open.push(one)
    } else if (!('source' in value && value.source === 'derived'))
      for (const [name, part] of Object.entries(value)) {
        if (typeof part === 'object' && part !== null) open.push(part)
        else if (typeof part === 'string' && evidenceTimes.has(name) && (found === null || part > found))
          found = part
      }
  }
  return found
}
