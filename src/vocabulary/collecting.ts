/** What of an app is checked: its record by Lookup, or its page. */
export const checkKinds = ['lookup', 'page'] as const

export type CheckKind = (typeof checkKinds)[number]

/** How a try of a chart ended: a snapshot, a chart that is empty by nature, one that is suspect, or no answer. */
export const attemptOutcomes = ['stored', 'empty', 'suspect-empty', 'failed'] as const

export type AttemptOutcome = (typeof attemptOutcomes)[number]
