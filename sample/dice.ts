/**
 * Deterministic pseudo-random numbers. Each use names its own stream (`dice(seed, 'charts', 'jp')`), so that adding one
 * sample never changes the others.
 */
export type Dice = {
  /** At least 0, below 1. */
  roll(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True in this share of cases. */
  chance(share: number): boolean
  /** Bell curve: mean 0, standard deviation 1. */
  bell(): number
  pick<T>(items: readonly T[]): T
  /** The given number of different items, or all of them, in a new order. */
  some<T>(items: readonly T[], count: number): T[]
}

export function dice(...labels: readonly (string | number)[]): Dice {
  const roll = mulberry32(fnv1a(labels.join('/')))
  const between = (low: number, high: number) => low + Math.floor(roll() * (high - low + 1))
  return {
    roll,
    between,
    chance: (share) => roll() < share,
    bell: () => Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll()),
    pick(items) {
      if (items.length === 0) throw new RangeError('nothing to pick from')
      return items[Math.floor(roll() * items.length)] as (typeof items)[number]
    },
    some(items, count) {
      const rest = [...items]
      const taken: typeof rest = []
      while (taken.length < count && rest.length > 0) taken.push(...rest.splice(between(0, rest.length - 1), 1))
      return taken
    },
  }
}

/** Tommy Ettinger's mulberry32: 32 bits of state, a few instructions a number. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
