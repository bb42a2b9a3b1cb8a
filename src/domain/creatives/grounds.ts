import type { GroundKind, GroundPlace } from '../../vocabulary/creatives.ts'

/** One piece of evidence in a creative that links it to an app. A name alone is not enough. */
export interface Ground {
  /** Digits. */
  storeId: string
  kind: GroundKind
  /** As found: an address or a handle. */
  text: string
  foundIn: GroundPlace
}

/** Strongest first; links show them in this order. */
export const groundStrength = [
  'manual',
  'advertiser-link',
  'declared-handle',
  'landing-url',
  'store-url',
  'known-handle',
] as const
