/** Kinds of data about an app. */
export const dataKinds = ['record', 'similar', 'organic', 'aso', 'estimates', 'media', 'charts'] as const

export type DataKind = (typeof dataKinds)[number]

/** Status of an account's request for one of them. */
export const requestStatuses = ['open', 'fulfilled', 'dismissed'] as const

export type RequestStatus = (typeof requestStatuses)[number]
