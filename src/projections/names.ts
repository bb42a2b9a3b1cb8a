/** The projections, which can be replayed individually, in the order in which a payload is projected. */
export const projectionNames = [
  'catalogue',
  'localizations',
  'misses',
  'similar',
  'charts',
  'sales',
  'ads',
  'keywords',
  'tool-ranks',
  'posts',
  'suspicions',
] as const

export type ProjectionName = (typeof projectionNames)[number]
