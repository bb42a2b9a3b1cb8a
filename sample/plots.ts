import { firstDay, lastDay, type Span } from './calendar.ts'
import type { Dice } from './dice.ts'
import { type Names, nameApp, sameName } from './names.ts'
import { dearestStep } from './prices.ts'
import type { Theme, Topic } from './words.ts'

/**
 * What happens to an app within the days of the sample, so that there is something to discover: launches that
 * climb, one that crashes, names, prices and screenshots that change. Days are counted since 1970.
 */
export type Plot = {
  /** Released within the sample, and how far it climbs above its base popularity in `climbDays`. */
  readonly launch?: { readonly climbDays: number; readonly height: number; readonly fades: boolean }
  /** The day of a failed update. */
  readonly crashDay?: number
  readonly rename?: { readonly day: number; readonly before: Names }
  readonly reprice?: { readonly day: number; readonly before: number }
  readonly newScreenshotsDay?: number
  readonly newIconDay?: number
  /** Listed, but released only after the last day: without a price. */
  readonly announcedDay?: number
}

export type Role = 'launch' | 'crash' | 'rename' | 'reprice' | 'announced' | null

/** Launches are new apps; all other plots need well-known ones. */
const casting: readonly {
  readonly role: Role
  readonly apps: number
  readonly popularity: readonly [number, number]
}[] = [
  { role: 'launch', apps: 9, popularity: [0, 0.8] },
  { role: 'announced', apps: 2, popularity: [0, 0.8] },
  { role: 'crash', apps: 1, popularity: [3, 9] },
  { role: 'rename', apps: 12, popularity: [0.8, 9] },
  { role: 'reprice', apps: 14, popularity: [0.8, 9] },
]

/** Assigns plots to apps, by index. Most apps have none and stay unchanged. */
export function cast(
  apps: readonly { readonly popularity: number; readonly native: unknown }[],
  dice: Dice,
): Map<number, Role> {
  const places = dice.some([...apps.keys()], apps.length)
  const roles = new Map<number, Role>()
  for (const { role, apps: wanted, popularity } of casting) {
    const [from, to] = popularity
    const fitting = places.filter((at) => {
      const app = apps[at]
      return app?.native === null && app.popularity >= from && app.popularity < to && !roles.has(at)
    })
    for (const at of fitting.slice(0, wanted)) roles.set(at, role)
  }
  return roles
}

type Cast = {
  readonly theme: Theme
  readonly topic: Topic
  readonly brand: string
  readonly names: Names
  readonly priceStep: number
}

export function plotOf(role: Role, app: Cast, span: Span, dice: Dice): Plot {
  const someDay = () => dice.between(firstDay(span) + 8, lastDay(span) - 4)
  switch (role) {
    case 'launch': {
      const height = 1.8 + dice.roll() * 2.4
      return { launch: { climbDays: dice.between(6, 24), height, fades: dice.chance(0.4) } }
    }
    case 'announced':
      return { announcedDay: lastDay(span) - dice.between(10, 40) }
    case 'crash':
      return { crashDay: dice.between(firstDay(span) + 30, lastDay(span) - 20) }
    case 'rename':
      return { rename: { day: someDay(), before: formerNames(app, dice) }, newIconDay: someDay() }
    case 'reprice': {
      const before = dice.chance(0.3) ? 0 : Math.min(dearestStep, app.priceStep + dice.between(1, 3))
      return { reprice: { day: someDay(), before } }
    }
    case null:
      return dice.chance(0.3) ? { newScreenshotsDay: someDay() } : {}
  }
}

function formerNames(app: Cast, dice: Dice): Names {
  const brand = dice.chance(0.3) ? `Little ${app.brand}` : app.brand
  const others = app.theme.topics.filter((topic) => topic !== app.topic)
  const before = nameApp(brand, dice.pick(others.length > 0 ? others : [app.topic]), [], dice)
  return before.us === app.names.us ? sameName(`${brand} App`) : before
}
