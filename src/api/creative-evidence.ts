import { evidenceList, type KeyedReading } from '../domain/evidence/reading.ts'
import type { Known, StatedBy } from '../domain/facts/merge.ts'
import { type LanguageFields, withDetection } from './detected-language.ts'
import { type EvidenceShape, evidenceShapes } from './evidence.ts'

/** A part of a creative that is based on a reading. */
type Resting = KeyedReading & { observedAt: Date }

/**
 * A post or an ad for display: its evidence lists the readings of its facts, and those that only other parts are based on.
 * @param observations parts based on a reading at one of its times
 * @param grounds parts based on a reading at any of its times
 */
export function withAllEvidence<Fields extends LanguageFields>(
  stated: Known<Fields>,
  observations: readonly Resting[],
  grounds: readonly Resting[] = [],
): Known<Fields> {
  const known = withDetection(stated)
  const timed = [...known.evidence, ...observations.map(bareEntry<keyof Fields & string>)]
  const shown = new Set(timed.map(({ readingId }) => readingId))
  const others = grounds.filter(({ readingId }) => !shown.has(readingId))
  return { ...known, evidence: evidenceList([...timed, ...others.map(bareEntry<keyof Fields & string>)]) }
}

/** @param accountId who sees the reply */
export const creativeEvidence = <Fields>({ evidence }: Known<Fields>, accountId?: string): EvidenceShape[] =>
  evidenceShapes(evidence, null, accountId).map((entry) =>
    entry.source === 'derived' ? { ...entry, surface: 'Language detection' } : entry,
  )

function bareEntry<Field extends string>({
  readingId,
  key,
  source,
  origin,
  timeBasis,
  broughtBy,
  observedAt: at,
}: Resting): StatedBy<Field> {
  const entry = { readingId, key, source, origin, timeBasis, observedAt: at.toISOString(), fields: [] }
  return broughtBy ? { ...entry, broughtBy } : entry
}
