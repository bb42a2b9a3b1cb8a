/** The two names of what charts show of an emerging app. Neither foretells anything. */
export const emergingKinds = ['new-in-charts', 'moved-up'] as const

export type EmergingKind = (typeof emergingKinds)[number]

/** What a back-test says of apps that moved up on the charts it looked at. */
export const emergingVerdicts = ['foretells', 'does-not-foretell', 'not-validated'] as const

export type EmergingVerdict = (typeof emergingVerdicts)[number]
