/** The areas of shared evidence that pages ask of whether something was stored since. */
export const evidenceAreas = ['apps', 'charts', 'keywords', 'posts', 'ads', 'estimates'] as const

export type EvidenceArea = (typeof evidenceAreas)[number]

/** What changes are counted in: areas of shared evidence, and one for all else that replies rest on. */
export type ChangedArea = EvidenceArea | 'other'
