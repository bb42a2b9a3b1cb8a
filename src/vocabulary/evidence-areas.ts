/** The areas of shared evidence that pages ask of whether something was stored since. */
export const evidenceAreas = ['apps', 'charts', 'keywords', 'posts', 'ads', 'estimates'] as const

export type EvidenceArea = (typeof evidenceAreas)[number]

/**
 * What changes are counted in: areas of shared evidence, one for what accounts follow and save, and one for all else that replies
 * rest on.
 */
export const changedAreas = [...evidenceAreas, 'accounts', 'other'] as const

export type ChangedArea = (typeof changedAreas)[number]
