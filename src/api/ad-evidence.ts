import type { z } from 'zod'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { Known, StatedBy } from '../domain/creatives/stated.ts'
import type { NamedReading } from '../domain/evidence/reading.ts'
import type { AdFacts } from '../domain/paid-ads/ad.ts'
import { evidenceOfKnown } from './creative-facts.ts'
import { withDetection } from './detected-language.ts'

type Entry = StatedBy<keyof AdFacts>

/** The readings behind an ad as it is shown: those of its facts, and those only observations, creatives or links rest on. */
export class AdEvidence {
  /** What is known of the ad, with all of them as evidence, newest first. */
  readonly known: Known<AdFacts>

  constructor(ad: Known<AdFacts>, others: readonly (NamedReading & { observedAt: Date })[]) {
    const { facts, evidence } = withDetection(ad)
    const entries: Entry[] = [...evidence]
    const named = new Set(entries.filter((entry) => entry.source !== 'derived').map(nameOf))
    for (const { readingId, source, origin, timeBasis, observedAt } of others) {
      const entry: Entry = {
        readingId,
        source,
        origin,
        timeBasis,
        observedAt: observedAt.toISOString(),
        fields: [],
      }
      if (named.has(nameOf(entry))) continue
      named.add(nameOf(entry))
      entries.push(entry)
    }
    entries.sort((one, other) =>
      one.observedAt < other.observedAt ? 1 : one.observedAt > other.observedAt ? -1 : 0,
    )
    this.known = { facts, evidence: entries }
  }

  /** Where a reading stands among them. */
  placeOf({ readingId }: { readingId: string | null }, observedAt: Date): number {
    const at = observedAt.toISOString()
    return this.known.evidence.findIndex(
      (entry) => entry.readingId === readingId && entry.observedAt === at && entry.source !== 'derived',
    )
  }

  shapes(): z.output<typeof Evidence>[] {
    return evidenceOfKnown(this.known).map((entry) =>
      entry.source === 'derived' ? { ...entry, surface: 'Language detection' } : entry,
    )
  }
}

const nameOf = ({ readingId, observedAt }: Entry) => `${readingId} ${observedAt}`
