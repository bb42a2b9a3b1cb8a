import type { z } from 'zod'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { KeyedReading } from '../domain/evidence/reading.ts'
import { type Known, newestFirst, type StatedBy } from '../domain/facts/merge.ts'
import { evidenceOfKnown } from './creative-facts.ts'
import { type LanguageFields, withDetection } from './detected-language.ts'

/** Something that rests on a reading. */
type Resting = KeyedReading & { observedAt: Date }

/** The readings behind a post or an ad as it is shown: those of its facts, and those only other parts of it rest on. */
export class CreativeEvidence<Fields extends LanguageFields> {
  /** What is known, with all of them as evidence, newest first. */
  readonly known: Known<Fields>

  /**
   * @param observations what rests on a reading at one of its times
   * @param grounds what rests on a reading at whatever time it is shown
   */
  constructor(stated: Known<Fields>, observations: readonly Resting[], grounds: readonly Resting[] = []) {
    const { facts, evidence } = withDetection(stated)
    const entries = [...evidence]
    const named = new Set(entries.filter((entry) => entry.source !== 'derived').map(nameOf))
    const add = (row: Resting) => {
      const entry = bareEntry<keyof Fields & string>(row)
      if (named.has(nameOf(entry))) return
      named.add(nameOf(entry))
      entries.push(entry)
    }
    for (const row of observations) add(row)
    for (const row of grounds) if (!entries.some((entry) => entry.readingId === row.readingId)) add(row)
    entries.sort(newestFirst)
    this.known = { facts, evidence: entries }
  }

  /** Where a reading stands among them, as it was at that time, or else at another. */
  placeOf({ readingId }: { readingId: string | null }, observedAt: Date): number {
    const at = observedAt.toISOString()
    const isOwn = (entry: Named) => entry.readingId === readingId && entry.source !== 'derived'
    const { evidence } = this.known
    const exact = evidence.findIndex((entry) => isOwn(entry) && entry.observedAt === at)
    return exact === -1 ? evidence.findIndex(isOwn) : exact
  }

  /** @param accountId who is told */
  shapes(accountId?: string): z.output<typeof Evidence>[] {
    return evidenceOfKnown(this.known, accountId).map((entry) =>
      entry.source === 'derived' ? { ...entry, surface: 'Language detection' } : entry,
    )
  }
}

type Named = Pick<StatedBy<string>, 'readingId' | 'source' | 'observedAt'>

const nameOf = ({ readingId, observedAt }: Named) => `${readingId} ${observedAt}`

function bareEntry<Field extends string>({
  observedAt,
  readingId,
  key,
  source,
  origin,
  timeBasis,
  broughtBy,
}: Resting): StatedBy<Field> {
  const entry = { readingId, key, source, origin, timeBasis, observedAt: observedAt.toISOString(), fields: [] }
  return broughtBy ? { ...entry, broughtBy } : entry
}
