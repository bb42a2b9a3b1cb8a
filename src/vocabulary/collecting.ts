/** Checks of an app: its record by Lookup, or its page. */
export const checkKinds = ['lookup', 'page'] as const

export type CheckKind = (typeof checkKinds)[number]

/** Outcome of an attempt to collect a chart: a snapshot, a chart that is really empty, a suspect empty one, or no answer. */
export const attemptOutcomes = ['stored', 'empty', 'suspect-empty', 'failed'] as const

export type AttemptOutcome = (typeof attemptOutcomes)[number]
