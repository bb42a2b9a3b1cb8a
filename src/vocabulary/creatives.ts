/** Media of a creative; `thumbnail` is the still picture of a video. */
export const mediumKinds = ['video', 'image', 'thumbnail'] as const

export type MediumKind = (typeof mediumKinds)[number]

/** Status of the copy of a medium. */
export const copyStatuses = ['pending', 'stored', 'removed-upstream', 'failed', 'not-kept'] as const

export type CopyStatus = (typeof copyStatuses)[number]

/** Attributions found in a creative, which link it to an app. A name alone is not enough. */
export const attributionKinds = ['store-url', 'known-handle', 'landing-url', 'named-app'] as const

export type AttributionKind = (typeof attributionKinds)[number]

/** Where in a creative an attribution was found. */
export const attributionPlaces = ['text', 'profile', 'author', 'link', 'record'] as const

export type AttributionPlace = (typeof attributionPlaces)[number]

/** Why an account of a network is known to belong to an app. */
export const handleBases = ['listing', 'profile'] as const

export type HandleBasis = (typeof handleBases)[number]

/** Decisions of users about creatives and apps. */
export const linkActions = ['link', 'unlink'] as const

export type LinkAction = (typeof linkActions)[number]

/** Outcome of a transcript. */
export const transcriptOutcomes = ['available', 'no-speech', 'unavailable'] as const

/** How the reading of an ad import ended. */
export const importEndReasons = ['end', 'limit', 'failed'] as const

export type ImportEndReason = (typeof importEndReasons)[number]
