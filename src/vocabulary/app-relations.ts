/** The role of a tracked app for its account. */
export const trackedRoles = ['own', 'rival', 'watched'] as const

export type TrackedRole = (typeof trackedRoles)[number]

/** The lists of apps that Apple shows beside an app. */
export const appleListKinds = ['similar', 'same-developer'] as const

export type AppleListKind = (typeof appleListKinds)[number]
