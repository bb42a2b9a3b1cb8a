import type { Database } from '../../../storage/database.ts'
import { listingWords } from '../../../text/listing-words.ts'
import {
  type ListingHistoryName,
  listingFields,
  type TrackedField,
  trackedFields,
} from '../../../vocabulary/listing-fields.ts'
import { mergeUnchangedVersions } from '../../catalogue/listing-versions.ts'
import type { RecordState } from '../../catalogue/record.ts'
import { type RankState, rankChangeBetween, rankOnPage } from '../pages/rank-days.ts'
import { impactsOfChanges, type ListingImpact } from './impact.ts'
import {
  type ChangeSpan,
  type RanksAround,
  type ReadingAt,
  ranksAround,
  readingsAt,
} from './listing-timeline-queries.ts'

export const listingChangesFormula = 'listing-changes/3'

/** One field before and after; null where it was empty. */
export interface FieldChange {
  field: ListingHistoryName
  from: string | null
  to: string | null
  /** `not-compared`: only addresses of pictures are known to differ. */
  comparison: 'changed' | 'not-compared'
  /**
   * Words of the new text, without stop words, that the old one lacked, in their order, at most 50; empty for other fields.
   */
  termsAdded: string[]
  termsRemoved: string[]
}

/** The rank of a keyword on both sides of a change. */
export interface KeywordMove {
  term: string
  before: RankState
  beforeAt: Date
  after: RankState
  afterAt: Date
}

/** Fields that changed between the same two observations. */
export interface ListingChange {
  lastSeenAt: Date
  firstSeenAt: Date
  fields: FieldChange[]
  /** First keywords that the app entered or left, then by size of the movement; at most 20. */
  moves: KeywordMove[]
  keywordsCompared: number
  impacts: ListingImpact[]
  /** The readings of both observations. */
  first: ReadingAt
  last: ReadingAt
}

/** Maximum changes reported, movements of each, and words of each field. */
const shownChanges = 50
const shownMoves = 20
const shownWords = 50
/** Maximum days after a change in which a page counts for it. */
const afterDays = 28
/** Maximum keywords compared around changes: each costs two reads for every change. */
const comparedKeywords = 50

/** Which changes of a timeline are wanted. */
export interface ChangesWanted {
  /** UTC dates, included, of the first observation of the new listing. */
  from?: string | undefined
  to?: string | undefined
  /** Only these fields, and changes of any of them. */
  fields?: ReadonlySet<ListingHistoryName> | undefined
}

/**
 * The changes of the listing of an app in one storefront, newest first, at most 50, each with the ranks of keywords around
 * it. Changes that are not wanted still count as others near those that are, and end the time in which a page counts for them.
 * @param keywords with pages, most important first; 50 of them are compared
 * @param stopWords as they are written
 */
export async function listingTimeline(
  db: Database,
  { record, versions }: RecordState,
  keywords: readonly { termId: number; term: string }[],
  stopWords: ReadonlySet<string>,
  wanted: ChangesWanted = {},
): Promise<ListingChange[]> {
  const { storeId, country } = record
  const all = listingChangesIn(versions, country, stopWords)
  const changes = all.filter((change) => isWanted(change, wanted)).slice(0, shownChanges)
  if (changes.length === 0) return []
  const compared = new Map(keywords.slice(0, comparedKeywords).map(({ termId, term }) => [termId, term]))
  const [around, impacts, readings] = await Promise.all([
    ranksAround(db, storeId, [...compared.keys()], changes.map(spanAmong(all))),
    impactsOfChanges(db, { storeId, country }, [...compared.keys()], changes, all),
    readingsAt(
      db,
      storeId,
      country,
      changes.flatMap(({ lastSeenAt, firstSeenAt }) => [lastSeenAt, firstSeenAt]),
    ),
  ])
  const aroundOf = Map.groupBy(around, ({ change }) => change)
  const readingOf = new Map(readings.map((reading) => [reading.at.getTime(), reading]))
  return changes.flatMap((change, index) => {
    const [first, last] = [change.firstSeenAt, change.lastSeenAt].map((at) => readingOf.get(at.getTime()))
    // Readings are never removed; a capture may be, and with it data that only a file of several captures held.
    if (!first || !last) return []
    const moves = (aroundOf.get(index) ?? []).map((ranks) => moveOf(ranks, compared.get(ranks.termId) ?? ''))
    return [
      {
        ...change,
        fields: change.fields.filter(({ field }) => wanted.fields?.has(field) ?? true),
        moves: moves.toSorted(mostMoved).slice(0, shownMoves),
        keywordsCompared: moves.length,
        impacts: impacts[index] ?? [],
        first,
        last,
      },
    ]
  })
}

type Change = Pick<ListingChange, 'lastSeenAt' | 'firstSeenAt' | 'fields'>

function isWanted({ firstSeenAt, fields }: Change, { from, to, fields: only }: ChangesWanted): boolean {
  const day = firstSeenAt.toISOString().slice(0, 'YYYY-MM-DD'.length)
  if ((from && day < from) || (to && day > to)) return false
  return only === undefined || fields.some(({ field }) => only.has(field))
}

/** All changes of a listing, newest first, without the ranks around them. */
export function listingChangesIn(
  versions: RecordState['versions'],
  country: string,
  stopWords: ReadonlySet<string>,
): Change[] {
  const found = new Map<string, Change>()
  for (const [field, all] of versions) {
    const seen = mergeUnchangedVersions(field, all)
    for (const [index, version] of seen.entries()) {
      const before = seen[index - 1]
      if (!before) continue
      const key = `${before.lastSeenAt} ${version.firstSeenAt}`
      const change = found.get(key) ?? {
        lastSeenAt: new Date(before.lastSeenAt),
        firstSeenAt: new Date(version.firstSeenAt),
        fields: [],
      }
      const words = wordsIn(field, country, stopWords)
      change.fields.push({
        ...fieldChange(field, before.value, version.value, words),
        comparison: version.comparison ?? 'changed',
      })
      found.set(key, change)
    }
  }
  const order = trackedFields.map((field) => listingFields[field].history)
  for (const { fields } of found.values())
    fields.sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
  return [...found.values()].sort(
    (one, other) =>
      other.firstSeenAt.getTime() - one.firstSeenAt.getTime() ||
      other.lastSeenAt.getTime() - one.lastSeenAt.getTime(),
  )
}

const texts = new Set<TrackedField>(['name', 'subtitle', 'description'])

/** The words of a value without stop words, by the form in which they are compared; none for fields other than texts. */
function wordsIn(field: TrackedField, country: string, stopWords: ReadonlySet<string>) {
  return (value: string | null): ReadonlyMap<string, string> => {
    const words = texts.has(field) ? listingWords(value ?? '', country) : []
    return new Map(words.filter(({ text }) => !stopWords.has(text)).map(({ key, text }) => [key, text]))
  }
}

function fieldChange(
  field: TrackedField,
  from: string | null,
  to: string | null,
  words: (value: string | null) => ReadonlyMap<string, string>,
): Omit<FieldChange, 'comparison'> {
  const [old, fresh] = [words(from), words(to)]
  const without = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>) =>
    [...some].flatMap(([key, text]) => (others.has(key) ? [] : [text])).slice(0, shownWords)
  return {
    field: listingFields[field].history,
    from,
    to,
    termsAdded: without(fresh, old),
    termsRemoved: without(old, fresh),
  }
}

/** @param all newest first */
const spanAmong =
  (all: readonly Change[]) =>
  ({ lastSeenAt, firstSeenAt }: Change, change: number): ChangeSpan => {
    const next = all.findLast((later) => later.firstSeenAt > firstSeenAt)
    const end = firstSeenAt.getTime() + afterDays * 86_400_000
    return {
      change,
      lastSeenAt,
      firstSeenAt,
      until: new Date(Math.min(end, next?.firstSeenAt.getTime() ?? end)),
    }
  }

function moveOf(ranks: RanksAround, term: string): KeywordMove {
  return {
    term,
    before: rankOnPage(ranks.beforeRank, ranks.beforeDepth),
    beforeAt: ranks.beforeAt,
    after: rankOnPage(ranks.afterRank, ranks.afterDepth),
    afterAt: ranks.afterAt,
  }
}

function mostMoved(one: KeywordMove, other: KeywordMove): number {
  return movement(other) - movement(one) || (one.term < other.term ? -1 : 1)
}

function movement({ before, after }: KeywordMove): number {
  const change = rankChangeBetween(before, after, '')
  if (change.state === 'entered' || change.state === 'left') return Number.POSITIVE_INFINITY
  return change.state === 'measured' ? Math.abs(change.places) : -1
}
