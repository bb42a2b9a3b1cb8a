/** The areas of shared evidence for which pages check whether there is new data. */
export const evidenceAreas = ['apps', 'charts', 'keywords', 'posts', 'ads', 'estimates'] as const

export type EvidenceArea = (typeof evidenceAreas)[number]

/**
 * The areas in which changes are counted: those of shared evidence, one for data that accounts follow and save, and one for
 * everything else that replies depend on.
 */
export const changeAreas = [...evidenceAreas, 'accounts', 'other'] as const

export type ChangeArea = (typeof changeAreas)[number]
