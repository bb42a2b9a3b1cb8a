import { appScope, type ChangedScopes, scopesIn } from '../domain/evidence/change-scopes.ts'
import { type ChangedCounter, type Counter, unmarked } from '../domain/evidence/changes.ts'
import type { ChangeArea } from '../vocabulary/evidence-areas.ts'

/** What a reply depends on: some areas, of one storefront or of all, of one app or of all. */
export interface Rests {
  areas: readonly ChangeArea[]
  country?: string
  /** Only with a storefront. */
  storeId?: string
}

/** Most names of apps and storefronts whose last change is kept: some 5 MB. */
const mostNames = 50_000

/**
 * When this process saw each part of the store change, as the number of the look that found it. What is not known to be about less is
 * about everything of its area: changes of a process of another version, of a store that was set back, and those that are too long ago.
 */
export class ChangeTimes {
  #now = 0
  #counters = new Map<string, Counter>()
  /** All that is older is taken for changed. */
  #floor = 0
  readonly #times = new Map<string, number>()

  /** The number of the last look. */
  get now(): number {
    return this.#now
  }

  /** The counters as they were found last, as JSON. */
  counters = '[]'

  /** Takes what changed since the last look. @param found all counters of the store */
  look(found: readonly ChangedCounter[]): void {
    this.#now++
    const counters = new Map(found.map((one) => [`${one.area} ${one.counter}`, one]))
    for (const [name, { area }] of this.#counters) if (!counters.has(name)) this.#note(area, 'all')
    for (const [name, one] of counters) this.#note(one.area, scopesSince(this.#counters.get(name), one))
    this.#counters = new Map(
      [...counters].map(([name, { area, counter, changes, mark }]) => [name, { area, counter, changes, mark }]),
    )
    this.counters = JSON.stringify([...this.#counters.values()])
    if (this.#times.size <= mostNames) return
    this.#times.clear()
    this.#floor = this.#now
  }

  /** The look that found the last change of what a reply depends on. */
  lastOf({ areas, country, storeId }: Rests): number {
    const parts =
      country === undefined
        ? ['any']
        : storeId === undefined
          ? ['all', country, `any ${country}`]
          : ['all', country, appScope(storeId, country), appScope(storeId, null)]
    let last = this.#floor
    for (const area of areas)
      for (const part of parts) last = Math.max(last, this.#times.get(`${area} ${part}`) ?? 0)
    return last
  }

  #note(area: ChangeArea, scopes: ChangedScopes): void {
    if (scopes.length === 0) return
    const set = (part: string) => this.#times.set(`${area} ${part}`, this.#now)
    set('any')
    if (scopes === 'all') set('all')
    else
      for (const scope of scopes) {
        set(scope)
        if (scope.includes(' ')) set(`any ${scope.split(' ', 1)[0]}`)
      }
  }
}

/** What the changes of a counter since it was known are about. Each names the mark before it, so that none is missed. */
function scopesSince(known: Counter | undefined, now: ChangedCounter): ChangedScopes {
  if (known?.changes === now.changes && known.mark === now.mark) return []
  let mark = known?.mark ?? unmarked
  let changes = BigInt(known?.changes ?? 0)
  const scopes: string[] = []
  for (const one of now.since) {
    changes++
    if (one.before !== mark || BigInt(one.changes) !== changes) return 'all'
    mark = one.mark
    scopes.push(...scopesIn(one.scopes))
  }
  return mark === now.mark && changes === BigInt(now.changes) ? scopes : 'all'
}
