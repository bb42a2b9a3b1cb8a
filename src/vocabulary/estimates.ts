/** What is estimated of a day: downloads, or revenue in a currency. */
export const estimateMetrics = ['downloads', 'revenue'] as const

export type Metric = (typeof estimateMetrics)[number]

/** What the model starts from. */
export const estimateMethods = ['chart-rank', 'rating-growth', 'grossing-rank'] as const

export type Method = (typeof estimateMethods)[number]

/** Why a day has no estimate. */
export const estimateAbsences = ['no-snapshot', 'outside-valid-range', 'too-little-evidence'] as const

export type NoEstimate = (typeof estimateAbsences)[number]

/** What days are added up to. */
export const totalPeriods = ['week', 'month'] as const
