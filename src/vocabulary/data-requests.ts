/** The parts of what can be known about an app. */
export const dataKinds = ['record', 'similar', 'organic', 'aso', 'estimates', 'media', 'charts'] as const

export type DataKind = (typeof dataKinds)[number]

/** How an account's wish for one of them stands. */
export const requestStatuses = ['open', 'fulfilled', 'dismissed'] as const

export type RequestStatus = (typeof requestStatuses)[number]
