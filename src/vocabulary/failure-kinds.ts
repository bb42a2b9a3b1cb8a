/**
 * Why an answer could not be collected.
 * - `throttled`: too many requests; the source is put on hold, and the call may be repeated later
 * - `refused`: this call will not be answered, now or later
 * - `unavailable`: the source reports that it is out of order (5xx)
 * - `unreachable`: no connection (refused, reset, unknown host)
 * - `certificate`: the certificate of the server is not valid
 * - `timeout`: the complete answer did not arrive in time
 * - `too-large`: more bytes than allowed
 * - `cut-off`: the answer ends before it is complete
 * - `not-json`: another format than requested, such as a page of HTML
 * - `unexpected-shape`: readable, but not the documented structure
 * - `too-much`: more data requested than the source can give at once; the same call for less may succeed
 * - `credential`: our credential has expired, was revoked or is unknown
 * - `permission`: our credential is valid, but not authorised for this
 * - `not-found`: the source has nothing at this address; an answer, not a failure of the source
 * - `circuit-open`: too many failures in a row; no request was made
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

/** The outcome of one call to an upstream. */
export const callOutcomes = ['answered', ...failureKinds] as const

export type CallOutcome = (typeof callOutcomes)[number]

/** Why collecting data on a term failed, including a suspect answer: empty, or far shorter than before. */
export const answerFailures = [...failureKinds, 'suspect-empty'] as const

export type AnswerFailure = (typeof answerFailures)[number]
