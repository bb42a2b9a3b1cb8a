import { type Dice, dice } from './dice.ts'
import type { SampleNetwork } from './networks.ts'
import { handles } from './words.ts'

/** The author of posts: always on the same network and in the same language. */
export type Creator = {
  readonly network: SampleNetwork
  readonly handle: string
  readonly name: string
  readonly language: 'en' | 'ja' | 'de' | 'es'
  readonly followers: number
  readonly usualViews: number
}

const count = 70
const networks: readonly SampleNetwork[] = [
  'tiktok',
  'tiktok',
  'tiktok',
  'instagram',
  'instagram',
  'youtube',
  'reddit',
  'x',
]
const languages: readonly Creator['language'][] = ['en', 'en', 'en', 'en', 'en', 'en', 'en', 'ja', 'de', 'es']

/** The first of them post most often. */
export function sampleCreators(seed: number): Creator[] {
  const fortune = dice(seed, 'creators')
  return fortune.some(handles, count).map((handle) => creator(handle, fortune))
}

function creator(handle: string, fortune: Dice): Creator {
  const followers = Math.round(10 ** (2.3 + 3.4 * fortune.roll() ** 1.3))
  return {
    network: fortune.pick(networks),
    handle,
    name: handle
      .split('.')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' '),
    language: fortune.pick(languages),
    followers,
    usualViews: followers * (0.15 + fortune.roll() * 0.9),
  }
}
