import type { ProblemCode } from '../contract/problems.ts'
import { Problem } from './problem.ts'

/**
 * The problem for a source that could not be asked, or did not answer.
 * @param until when it may be asked again; undefined where that is unknown
 */
export function upstreamProblem(
  code: Extract<ProblemCode, 'upstream-failed' | 'upstream-timeout'>,
  detail: string,
  until: Date | undefined,
): Problem {
  if (!until) return new Problem(code, detail)
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000))
  return new Problem(code, detail, { retryAfterSeconds: seconds })
}
