import type { z } from 'zod'
import type { KeywordMove, ListingChange, ListingFieldChange } from '../contract/shapes/listing-audit.ts'
import type {
  ListingChange as Change,
  FieldChange,
  KeywordMove as Move,
} from '../domain/aso/listing/listing-timeline.ts'
import { factOf } from '../domain/facts/fact.ts'
import { searchSurface } from './aso-facts.ts'
import { evidenceOf } from './evidence.ts'

/** Characters of a value that are shown. */
const shownCharacters = 500

/** A change of the listing in the form of replies. */
export function changeShape(change: Change, country: string): z.output<typeof ListingChange> {
  const { lastSeenAt, firstSeenAt, fields, moves, keywordsCompared, impacts, first, last } = change
  return {
    lastSeenAt: lastSeenAt.toISOString(),
    firstSeenAt: firstSeenAt.toISOString(),
    fields: fields.map(fieldShape),
    keywords: moves.map(moveShape),
    keywordsCompared,
    impact: impacts,
    caution,
    evidence: [first, last].map(({ at, ...reading }) => evidenceOf(reading, at, country)),
  }
}

const caution =
  'Ranks around a change are no proof that the change moved them: seasons, rivals, advertising and other changes do too. A move no longer than the usual one says nothing.'

/** Evidence of a change: the new listing comes first. */
const [ofNew, ofOld] = [0, 1]

function fieldShape({
  field,
  from,
  to,
  comparison,
  termsAdded,
  termsRemoved,
}: FieldChange): z.output<typeof ListingFieldChange> {
  const side = (text: string | null, evidence: number) =>
    factOf(text === null ? null : [...text].slice(0, shownCharacters).join(''), evidence)
  return {
    field,
    from: side(from, ofOld),
    to: side(to, ofNew),
    cut: [from, to].some((text) => [...(text ?? '')].length > shownCharacters),
    comparison,
    termsAdded,
    termsRemoved,
  }
}

function moveShape({ term, before, beforeAt, after, afterAt }: Move): z.output<typeof KeywordMove> {
  return {
    term,
    before,
    beforeAt: beforeAt.toISOString(),
    after,
    afterAt: afterAt.toISOString(),
    surface: searchSurface,
    places: before.state === 'measured' && after.state === 'measured' ? before.value - after.value : null,
  }
}
