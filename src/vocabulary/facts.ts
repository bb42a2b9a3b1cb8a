/** Why there is no value: never to be read as zero, and never as absence. */
export const notMeasuredReasons = [
  'never-collected',
  'not-carried',
  'no-snapshot',
  'hidden-upstream',
  'suspect-empty',
  'source-failed',
  'outside-valid-range',
  'too-little-evidence',
  'not-configured',
  'pending',
] as const

export type NotMeasuredReason = (typeof notMeasuredReasons)[number]

/** Nobody knows, and why. */
export interface NotMeasured<Reason extends NotMeasuredReason> {
  state: 'not-measured'
  reason: Reason
}

/**
 * A value in three states: seen, looked for and not there, or not known. `evidence` is the place of the observation in the
 * nearest list of evidence.
 */
export type Fact<V, Reason extends NotMeasuredReason> =
  | { state: 'measured'; value: V; evidence: number }
  | { state: 'absent'; evidence: number }
  | NotMeasured<Reason>
