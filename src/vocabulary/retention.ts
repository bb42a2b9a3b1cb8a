/** Kinds of evidence that can have a retention policy. */
export const retainedKinds = [
  'chart-ranks',
  'result-pages',
  'ratings',
  'post-figures',
  'media',
  'payloads',
] as const

export type RetainedKindName = (typeof retainedKinds)[number]
