/** Apple's charts of apps. */
export const chartKinds = ['top-free', 'top-paid', 'top-grossing'] as const

export type ChartKind = (typeof chartKinds)[number]
