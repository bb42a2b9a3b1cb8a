/** What an installation may keep for a time only, each by a policy of its own. */
export const retainedKinds = [
  'chart-ranks',
  'result-pages',
  'ratings',
  'post-figures',
  'media',
  'payloads',
] as const

export type RetainedKindName = (typeof retainedKinds)[number]
