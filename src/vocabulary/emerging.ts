/** The two patterns of emerging apps in charts. Neither is a forecast. */
export const emergingKinds = ['new-in-charts', 'moved-up'] as const

export type EmergingKind = (typeof emergingKinds)[number]

/** The result of a back-test for apps that moved up on the examined charts. */
export const emergingVerdicts = ['foretells', 'does-not-foretell', 'not-validated'] as const

export type EmergingVerdict = (typeof emergingVerdicts)[number]
