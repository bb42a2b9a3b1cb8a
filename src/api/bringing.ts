import type { Caller } from './caller.ts'
import { Problem } from './problem.ts'

/** Refuses a caller that may not import evidence of its own. @throws Problem `evidence-not-allowed` */
export function admitBringing({ bringsEvidence }: Caller): void {
  if (bringsEvidence) return
  throw new Problem(
    'evidence-not-allowed',
    'This credential may not bring ad records and links of its own. The operator makes keys that may with `rivalscope keys create`.',
  )
}
