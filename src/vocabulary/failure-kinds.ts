/**
 * Why an answer could not be had.
 * - `throttled`: asked too much; the pace of the source is held, and the call may be made again later
 * - `refused`: this call is not answered, now or later
 * - `unavailable`: the source says that it is out of order (5xx)
 * - `unreachable`: no connection (refused, reset, unknown host)
 * - `certificate`: the other side cannot prove who it is
 * - `timeout`: the whole answer did not arrive in time
 * - `too-large`: more bytes than allowed
 * - `cut-off`: the answer ends before it is complete
 * - `not-json`: something else than the format asked for, such as a page of HTML
 * - `unexpected-shape`: readable, but not what this source answers
 * - `too-much`: asked for more at once than it can give; the same call for less may go well
 * - `credential`: what we prove ourselves with has expired, was taken back or is unknown
 * - `permission`: we are known, and not allowed to ask this
 * - `not-found`: the source knows nothing under this address; an answer, and no sign of trouble
 * - `circuit-open`: too many failures in a row; nothing was asked
 */
export const failureKinds = [
  'throttled',
  'refused',
  'unavailable',
  'unreachable',
  'certificate',
  'timeout',
  'too-large',
  'cut-off',
  'not-json',
  'unexpected-shape',
  'too-much',
  'credential',
  'permission',
  'not-found',
  'circuit-open',
] as const

export type FailureKind = (typeof failureKinds)[number]

/** Why asking about a term came to nothing: an answer that is empty where earlier ones were not counts as well. */
export const answerFailures = [...failureKinds, 'suspect-empty'] as const

export type AnswerFailure = (typeof answerFailures)[number]
