import type { GroundKind, GroundPlace } from '../../vocabulary/creatives.ts'

/** One reason, found in a creative, to hold that it belongs to an app. A name alone is none. */
export interface Ground {
  /** Digits. */
  storeId: string
  kind: GroundKind
  /** As found: the address or the handle. */
  text: string
  foundIn: GroundPlace
}

/** Strongest first, as links show them. */
export const groundStrength = [
  'manual',
  'advertiser-link',
  'declared-handle',
  'landing-url',
  'store-url',
  'known-handle',
] as const
