import { z } from 'zod'

/** Facts as an export of ours writes them: those that rest on an observation name it by its place in `evidence`. */
export const ExportedFact = z
  .object({
    state: z.enum(['measured', 'absent', 'not-measured']),
    value: z.unknown().optional(),
    evidence: z.int().min(0).optional(),
    reason: z.string().optional(),
  })
  .optional()

export type ExportedFact = z.output<typeof ExportedFact>

export const ExportedEvidence = z.array(z.object({ observedAt: z.string(), source: z.string() }))

/** Whether a record is an item of an export of ours, and no record that somebody wrote in our shape. */
export const isExported = (record: object): boolean =>
  'observationCount' in record && 'evidence' in record && Array.isArray(record.evidence)

/**
 * What a fact said: its value, or null where it was looked for and not there; undefined where nothing was carried. What was
 * recognised here, and not stated, is nothing.
 * @returns with when it was observed, where the evidence names that
 */
export function statedBy(
  fact: ExportedFact,
  evidence: z.output<typeof ExportedEvidence>,
): { value: unknown; observedAt: string | undefined } | undefined {
  if (!fact || fact.state === 'not-measured') return undefined
  const entry = fact.evidence === undefined ? undefined : evidence[fact.evidence]
  if (entry?.source === 'derived') return undefined
  return { value: fact.state === 'measured' ? fact.value : null, observedAt: entry?.observedAt }
}
