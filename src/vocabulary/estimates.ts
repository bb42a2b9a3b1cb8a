/** Daily estimates: downloads, or revenue in a currency. */
export const estimateMetrics = ['downloads', 'revenue'] as const

export type EstimateMetric = (typeof estimateMetrics)[number]

/** The input of the model. */
export const estimateMethods = ['chart-rank', 'rating-growth', 'grossing-rank'] as const

export type EstimateMethod = (typeof estimateMethods)[number]

/** Why a day has no estimate. */
export const estimateAbsences = ['no-snapshot', 'outside-valid-range', 'too-little-evidence'] as const

export type NoEstimate = (typeof estimateAbsences)[number]

/** Periods of totals. */
export const totalPeriods = ['week', 'month'] as const
