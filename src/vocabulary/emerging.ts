/** The two names of what charts show of an emerging app. */
export const emergingKinds = ['new-in-charts', 'rising'] as const

export type EmergingKind = (typeof emergingKinds)[number]

/** What a back-test says of rising apps on the charts it looked at. */
export const emergingVerdicts = ['beats-new-entrants', 'does-not-beat-new-entrants', 'not-validated'] as const

export type EmergingVerdict = (typeof emergingVerdicts)[number]
