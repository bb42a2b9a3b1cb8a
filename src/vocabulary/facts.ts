/** Why a value is not measured: never to be read as zero or as absence. */
export const notMeasuredReasons = [
  'never-collected',
  'not-carried',
  'unreadable',
  'no-snapshot',
  'partial-snapshot',
  'hidden-upstream',
  'suspect-empty',
  'source-failed',
  'outside-valid-range',
  'too-little-evidence',
  'language-not-validated',
  'not-configured',
  'pending',
] as const

/** Whether a state has a value: observed or counted from observations, or estimated by a model. */
export const stateHasValue = (state: unknown): boolean => state === 'measured' || state === 'estimated'

export type NotMeasuredReason = (typeof notMeasuredReasons)[number]

/** An unknown value, with the reason. */
export interface NotMeasured<Reason extends NotMeasuredReason> {
  state: 'not-measured'
  reason: Reason
}

/**
 * A value in three states: measured, absent or not measured. `evidence` is the index of the observation in the nearest list
 * of evidence.
 */
export type Fact<V, Reason extends NotMeasuredReason> =
  | { state: 'measured'; value: V; evidence: number }
  | { state: 'absent'; evidence: number }
  | NotMeasured<Reason>
