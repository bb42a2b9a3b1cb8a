import type { z } from 'zod'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { BroughtBy, NamedReading } from '../domain/evidence/reading.ts'
import { surfaces } from '../vocabulary/provenance.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'

export type EvidenceShape = z.output<typeof Evidence>

/** A reading in the form of replies. @param accountId who sees the reply */
export function evidenceOf(
  { readingId, source, origin, timeBasis, broughtBy }: NamedReading,
  observedAt: Date | string,
  country: string | null,
  accountId?: string,
): EvidenceShape {
  return {
    source,
    origin,
    surface: surfaces[source],
    country: country as StorefrontCode | null,
    observedAt: typeof observedAt === 'string' ? observedAt : observedAt.toISOString(),
    timeBasis,
    readingId,
    ...(broughtBy ? { broughtBy: broughtByShape(broughtBy, accountId) } : {}),
  }
}

/** A list of evidence in the form of replies; facts refer to it by index. */
export const evidenceShapes = (
  evidence: readonly (NamedReading & { observedAt: Date | string })[],
  country: string | null,
  accountId?: string,
): EvidenceShape[] => evidence.map((entry) => evidenceOf(entry, entry.observedAt, country, accountId))

/** The origin of user-provided evidence, as an account sees it: names of other accounts are hidden. */
export const broughtByShape = (broughtBy: BroughtBy, accountId: string | undefined) => ({
  account: broughtBy.accountId === accountId ? ('own' as const) : ('other' as const),
  door: broughtBy.door,
})
