import { withUnreadable } from '../facts/merge.ts'
import type { SeenCreative as CreativeFacts } from './ad.ts'
import { agree } from './ad-comparison.ts'

interface SeenCreative {
  creativeId: string
  position: number
  facts: CreativeFacts
  /** User-provided, and not shown by any source. */
  brought?: boolean
  firstObservedAt: Date
  lastObservedAt: Date
}

/** With the time of the observation behind its facts. */
export type ShownCreative<C> = C & { current: boolean; seenAt: Date }

/**
 * The creatives of an ad for display: those of its newest observation by position, then earlier ones, newest first.
 * User-provided creatives are handled separately, and are current only where no source showed any. Sources carry different
 * parts of a creative; an observation with fewer fields counts as another sighting of the fuller one.
 */
export function shownCreatives<C extends SeenCreative>(creatives: readonly C[]): ShownCreative<C>[] {
  const ordered = creatives.toSorted(
    (one, other) =>
      carriedParts(other) - carriedParts(one) ||
      other.lastObservedAt.getTime() - one.lastObservedAt.getTime() ||
      (one.creativeId < other.creativeId ? -1 : 1),
  )
  const full: (C & { seenAt: Date })[] = []
  for (const creative of ordered) {
    const at = full.findIndex(
      (known) =>
        Boolean(known.brought) === Boolean(creative.brought) &&
        carriedParts(known) > carriedParts(creative) &&
        agree(known.facts, creative.facts),
    )
    const known = full[at]
    if (known) full[at] = seenAgain(known, creative)
    else full.push({ ...creative, seenAt: creative.lastObservedAt })
  }
  const shown = full.some(({ brought }) => !brought) ? full.filter(({ brought }) => !brought) : full
  const newest = Math.max(...shown.map(({ lastObservedAt }) => lastObservedAt.getTime()))
  return full
    .map((creative) => ({
      ...creative,
      current: shown.includes(creative) && creative.lastObservedAt.getTime() === newest,
    }))
    .sort(
      (one, other) =>
        Number(other.current) - Number(one.current) ||
        Number(one.brought ?? false) - Number(other.brought ?? false) ||
        other.lastObservedAt.getTime() - one.lastObservedAt.getTime() ||
        one.position - other.position ||
        (one.creativeId < other.creativeId ? -1 : 1),
    )
}

const carriedParts = ({ facts: { unreadable: _, ...facts } }: SeenCreative) => Object.keys(facts).length

function seenAgain<C extends SeenCreative>(
  known: C,
  { facts, firstObservedAt, lastObservedAt }: SeenCreative,
): C {
  return {
    ...known,
    facts: withUnreadable(known.facts, facts.unreadable),
    firstObservedAt: firstObservedAt < known.firstObservedAt ? firstObservedAt : known.firstObservedAt,
    lastObservedAt: lastObservedAt > known.lastObservedAt ? lastObservedAt : known.lastObservedAt,
  }
}
