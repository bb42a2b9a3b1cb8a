/** What a creative shows; `thumbnail` is the still picture of a video. */
export const mediumKinds = ['video', 'image', 'thumbnail'] as const

export type MediumKind = (typeof mediumKinds)[number]

/** How a copy of a medium does. */
export const copyStatuses = ['pending', 'stored', 'removed-upstream', 'failed', 'not-kept'] as const

export type CopyStatus = (typeof copyStatuses)[number]

/** Why a creative is held to belong to an app, as found in it. A name alone is no reason. */
export const groundKinds = ['store-url', 'known-handle', 'landing-url'] as const

export type GroundKind = (typeof groundKinds)[number]

/** Where in a creative that was found. */
export const groundPlaces = ['text', 'profile', 'author', 'link'] as const

export type GroundPlace = (typeof groundPlaces)[number]

/** Who says that an account of a network belongs to an app. */
export const handleBases = ['listing', 'profile'] as const

export type HandleBasis = (typeof handleBases)[number]

/** What people decide of creatives and apps. */
export const linkActions = ['link', 'unlink'] as const

export type LinkAction = (typeof linkActions)[number]

/** How the making of a transcript ended. */
export const transcriptOutcomes = ['available', 'no-speech', 'unavailable'] as const

/** How the reading of an ad import ended. */
export const importEndings = ['end', 'limit', 'failed'] as const

export type ImportEnding = (typeof importEndings)[number]
