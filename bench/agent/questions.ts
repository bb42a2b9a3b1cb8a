import type { Ask, Said } from './agent.ts'

/** The full reply of a GET of the service. */
export type Get = (path: string) => Promise<Said>

export interface Question {
  name: string
  question: string
  /** What it may cost. */
  goal: { calls: number; kB: number }
  /** How an agent comes by the answer, with nothing but what tools and replies say. */
  answer(ask: Ask): Promise<unknown>
  /** The right answer, by full replies over HTTP and from other operations than those asked, where others know it. */
  truth(get: Get): Promise<unknown>
}

export const estimated = (fact: Said): unknown => fact?.estimated ?? fact?.value ?? fact
export const measured = (fact: Said): unknown =>
  typeof fact === 'object' ? (fact?.value ?? fact?.state) : fact
export const dayOf = (time: string): string => time.slice(0, 'YYYY-MM-DD'.length)
export const daysBefore = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(day) - days * 86_400_000).toISOString())

/** Ids of the sample, and its last day, for right answers alone. */
export const tally = '9000000150'
export const bobbin = '9000000137'
export const wombat = '9000000218'
export const trackedTally = '019aa0b6-5c00-7000-8000-000000000001'
export const today = '2026-11-20'

/** An app by its name, as the store knows it. */
export const appNamed = async (ask: Ask, name: string): Promise<string> =>
  (await ask('search_competitors', { q: name, limit: 1 })).items[0].storeId

/** The tracked apps of the US as told by `fields`, found by how their names begin. */
export async function trackedApps(ask: Ask): Promise<(name: string) => Said> {
  const { items } = await ask('list_aso_apps', { country: 'us', fields: ['appId', 'storeId', 'name'] })
  return (name) => items.find((app: Said) => app.name.startsWith(name))
}

/** Lists that stand side by side, as `fields` shows those of the entries of a list: empty ones are one statement. */
export function entriesOf(columns: Readonly<Record<string, Said[]>>): Said[] {
  const whole = Object.entries(columns).map(([name, [first, ...others]]) => [
    name,
    first?.entries > 0 ? Array.from({ length: first.entries }, () => first) : [first, ...others],
  ]) as [string, Said[]][]
  const length = Math.max(0, ...whole.map(([, list]) => list.length))
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(whole.map(([name, list]) => [name, list[at] ?? null])),
  )
}

/** The first apps that climbed most between two full charts; who was in none of its places before climbed from below the last. */
export async function mostGained(get: Get, chart: string, day: string, before: string): Promise<unknown> {
  const [now, then] = [await get(`${chart}&date=${day}`), await get(`${chart}&date=${before}`)]
  const was = new Map(then.items.map(({ app, rank }: Said) => [app.storeId, rank]))
  const below = then.returned + 1
  const climbed = now.items
    .map(({ app, rank }: Said) => ({ storeId: app.storeId, rank, was: was.get(app.storeId) }))
    .filter(({ rank, was }: Said) => was !== undefined || rank < below)
    .sort((one: Said, other: Said) => (other.was ?? below) - other.rank - ((one.was ?? below) - one.rank))
  const shown = climbed
    .slice(0, 3)
    .map(({ storeId, rank, was }: Said) => [storeId, rank, was ? was - rank : null])
  return { since: dayOf(then.capturedAt), shown }
}
export const gainedIn = ({ previousCapturedAt, items }: Said) => ({
  since: dayOf(previousCapturedAt),
  shown: items.slice(0, 3).map(({ storeId, rank, change }: Said) => [storeId, rank, change]),
})

export const firstThree = (items: Said[]) =>
  items.slice(0, 3).map((item: Said) => item.storeId ?? item.app.storeId)
