import type { ReplyOf } from '../../api/operations.ts'
import type { Evidence, RankOfDay, SeriesSource, TrackedAppSummary } from '../../evidence/shapes.ts'

type Workstation = ReplyOf<'get_aso_workstation'>
type WorkstationKeyword = Workstation['keywords'][number]
type ChartHistory = ReplyOf<'get_apple_chart_history'>
type AppChart = ChartHistory['charts'][number]
type ListingChange = ReplyOf<'get_competitor_aso'>['timeline'][number]
export type FieldChange = ListingChange['fields'][number]

export const sinceDays = [1, 7, 30] as const
export type SinceDays = (typeof sinceDays)[number]

const dayLength = 86_400_000
const daysEarlier = (at: string, days: number): string =>
  new Date(Date.parse(at) - days * dayLength).toISOString()
const latest = (moments: readonly string[]): string | undefined => moments.toSorted().at(-1)

/** An app whose part of a section was read, with when that was last. */
export interface LastLook<Reply> {
  tracked: TrackedAppSummary
  reply: Reply
  until: string
}

/** Days by which an app may have been looked at longer ago than the one looked at last: beyond them its moves are no news. */
const mostDaysBehind = 30

/**
 * The apps of a section with when each was looked at last: their moves are those before that, whatever was read of others since. Who
 * looks at one app anew has not looked at the others.
 * @param untilOf day or instant; undefined where nobody ever looked
 */
export function withLastLook<Reply>(
  apps: readonly TrackedAppSummary[],
  replies: readonly (Reply | undefined)[],
  untilOf: (reply: Reply) => string | undefined,
): { apps: LastLook<Reply>[]; behind: number } {
  const looked = replies.flatMap((reply, index) => {
    const tracked = apps[index]
    const until = reply === undefined ? undefined : untilOf(reply)
    return tracked && reply !== undefined && until !== undefined ? [{ tracked, reply, until }] : []
  })
  const newest = latest(looked.map(({ until }) => until))
  const oldest = newest === undefined ? '' : daysEarlier(newest, mostDaysBehind)
  const recent = looked.filter(({ until }) => until >= oldest)
  return { apps: recent, behind: looked.length - recent.length }
}

/** Where an app stood: at a rank, or nowhere within the places that were read. */
export type Place = { rank: number } | { outside: number }

export interface RankMove {
  before: Place
  after: Place
  /** Day or instant of the observation that it is compared with, and of the newest. */
  comparedOn: string
  at: string
  /** The weight of a move, larger near the top: 10 to 5 counts more than 110 to 100. */
  weight: number
}

export interface KeywordMove extends RankMove {
  tracked: TrackedAppSummary
  term: string
  surface: string | null
}

const overDays = { 1: 'over1Day', 7: 'over7Days', 30: 'over30Days' } as const

export const pagesCapturedUntil = ({ keywords }: Workstation): string | undefined =>
  latest(keywords.flatMap(({ observedAt }) => observedAt ?? []))

/** Keywords whose rank is another one than so many days before. A page older than these days says nothing about them. */
export function keywordMoves({ tracked, reply, until }: LastLook<Workstation>, days: SinceDays): KeywordMove[] {
  return reply.keywords.flatMap((keyword) => {
    const { term, surface, observedAt } = keyword
    const moved = placesOf(keyword, days)
    if (!moved || observedAt === null || observedAt < daysEarlier(until, days)) return []
    return [{ tracked, term, surface, at: observedAt, ...moved, weight: weightOf(moved.before, moved.after) }]
  })
}

function placesOf(keyword: WorkstationKeyword, days: SinceDays) {
  const { rank, [overDays[days]]: change } = keyword
  if (change.state === 'left')
    return { before: { rank: change.from }, after: { outside: change.depth }, comparedOn: change.comparedOn }
  if (rank.state !== 'measured') return undefined
  const after = { rank: rank.value }
  if (change.state === 'entered')
    return { before: { outside: change.depth }, after, comparedOn: change.comparedOn }
  if (change.state === 'measured' && change.places !== 0)
    return { before: { rank: rank.value + change.places }, after, comparedOn: change.comparedOn }
  return undefined
}

export interface ChartMove extends RankMove {
  tracked: TrackedAppSummary
  chart: AppChart
  source: SeriesSource | undefined
}

const isLooked = ({ rank }: AppChart['series'][number]) => rank.state !== 'not-measured' && rank.depth !== null

export const chartsCapturedUntil = ({ charts }: ChartHistory): string | undefined =>
  latest(charts.flatMap(({ series }) => series.findLast(isLooked)?.date ?? []))

/** Days of charts that are read to compare with a capture so many days before the last one, which may be some days older. */
const daysCompared = { 1: 31, 7: 45, 30: 90 } as const

/** The first day of the charts to be read for an app; as many days as usual where it is not known when they were captured last. */
export function chartWindowOf({ moves: { charts } }: TrackedAppSummary, days: SinceDays): { from?: string } {
  if (charts.state === 'not-measured') return {}
  return { from: daysEarlier(charts.lastAt, daysCompared[days]).slice(0, 10) }
}

/**
 * Charts in which an app stands elsewhere than so many days before. Only captures of one surface are compared, no ranks told without one, and being in or out
 * counts only where as many places were read as it takes to tell.
 */
export function chartMoves(
  { tracked, reply: history, until }: LastLook<ChartHistory>,
  days: SinceDays,
): ChartMove[] {
  const firstDay = daysEarlier(until, days).slice(0, 10)
  return history.charts.flatMap((chart) => {
    const looked = chart.series.filter(isLooked)
    const last = looked.at(-1)
    if (!last || last.date <= firstDay) return []
    const surfaceOf = (source: number | null) => history.sources[source ?? -1]?.surface
    const before = looked.filter(
      ({ date, source }) => date < last.date && surfaceOf(source) === surfaceOf(last.source),
    )
    const compared = before.findLast(({ date }) => date <= firstDay) ?? before[0]
    const places = compared && comparable(compared.rank, last.rank)
    if (!compared || !places) return []
    return [
      {
        tracked,
        chart,
        source: history.sources[last.source ?? -1],
        at: last.observedAt ?? last.date,
        comparedOn: compared.date,
        ...places,
        weight: weightOf(places.before, places.after),
      },
    ]
  })
}

function comparable(before: RankOfDay, after: RankOfDay): { before: Place; after: Place } | undefined {
  if (before.state === 'measured' && after.state === 'measured')
    return before.value === after.value
      ? undefined
      : { before: { rank: before.value }, after: { rank: after.value } }
  if (before.state === 'absent' && after.state === 'measured' && after.value <= before.depth)
    return { before: { outside: before.depth }, after: { rank: after.value } }
  if (before.state === 'measured' && after.state === 'absent' && before.value <= after.depth)
    return { before: { rank: before.value }, after: { outside: after.depth } }
  return undefined
}

const weightOf = (before: Place, after: Place): number => Math.abs(nearness(after) - nearness(before))
const nearness = (place: Place): number => ('rank' in place ? 1 / place.rank : 0)

/** Whether the app climbed. */
export const hasClimbed = ({ before, after }: RankMove): boolean => nearness(after) > nearness(before)

/** Places climbed, negative when fallen; undefined when the app came in or went out. */
export const placesClimbed = ({ before, after }: RankMove): number | undefined =>
  'rank' in before && 'rank' in after ? before.rank - after.rank : undefined

export interface ListingMove {
  tracked: TrackedAppSummary
  change: ListingChange
  fields: FieldChange[]
  evidence: Evidence | undefined
  weight: number
}

/** Weights of listing fields, most visible first. Other fields are shown, too, with the least weight. */
const weightOfField: Partial<Record<FieldChange['field'], number>> = {
  name: 8,
  subtitle: 7,
  icon: 6,
  price: 6,
  'screenshots-iphone': 5,
  previews: 5,
  'header-media': 5,
  'search-media': 5,
  events: 4,
  'in-app-purchases': 4,
  'primary-category': 4,
  description: 3,
  developer: 3,
  'screenshots-ipad': 2,
  version: 1,
}

type Listing = Pick<ReplyOf<'get_competitor_aso'>, 'timeline'> & {
  listingObserved: Pick<ReplyOf<'get_competitor_aso'>['listingObserved'], 'lastAt'>
}

/**
 * What would be read of a listing that did not move in these days, as the list of tracked apps tells it with its last look; undefined where it moved,
 * or where the list does not know it for as many days.
 */
export function calmListing(
  { moves: { listing, days } }: TrackedAppSummary,
  since: SinceDays,
): Listing | undefined {
  if (since > days || listing.state === 'not-measured' || listing.moved > 0) return undefined
  return { timeline: [], listingObserved: { lastAt: listing.lastAt } }
}

export const listingObservedUntil = ({ listingObserved }: Listing): string | undefined =>
  listingObserved.lastAt ?? undefined

/**
 * Listings that are seen with another text, price or picture within so many days. Pictures that nobody can compare are no change, and
 * neither is a field that was read for the first time.
 */
export function listingMoves({ tracked, reply, until }: LastLook<Listing>, days: SinceDays): ListingMove[] {
  const from = daysEarlier(until, days)
  return reply.timeline.flatMap((change) => {
    const fields = change.fields
      .filter(
        ({ comparison, from, to }) =>
          comparison !== 'not-compared' && from.state !== 'not-measured' && to.state !== 'not-measured',
      )
      .sort((a, b) => (weightOfField[b.field] ?? 0) - (weightOfField[a.field] ?? 0))
    if (fields.length === 0 || change.firstSeenAt < from) return []
    const weight = fields.reduce((sum, { field }) => sum + (weightOfField[field] ?? 0.5), 0)
    return [{ tracked, change, fields, evidence: change.evidence[0], weight }]
  })
}

/** Sorts moves, biggest first, then newest first. */
export const biggestFirst = <Move extends { weight: number }>(moves: readonly Move[]): Move[] =>
  [...moves].sort((a, b) => b.weight - a.weight)

/** Something that is new for what it is about: an ad of an app in a library, an app that was found in a storefront. */
export interface Dated<Row> {
  row: Row
  /** When it began; undefined where nobody knows. */
  began: string | undefined
  /** When it was observed last; none where that tells nothing about what it is about. */
  observed: readonly string[]
  /** What it is about, each looked at by itself: looking at one anew says nothing about another. */
  subjects: readonly string[]
}

/**
 * What began within so many days before its subject was looked at last.
 * @param lookedAt when subjects were looked at last, where more than the rows tells
 */
export function newRows<Row>(
  dated: readonly Dated<Row>[],
  days: SinceDays,
  lookedAt: ReadonlyMap<string, string> = new Map(),
): { rows: Row[]; looked: { apps: { until: string }[]; behind: number } } {
  const untils = new Map(lookedAt)
  for (const { subjects, observed } of dated)
    for (const subject of subjects) {
      const until = latest([...observed, untils.get(subject) ?? ''])
      if (until) untils.set(subject, until)
    }
  const newest = latest([...untils.values()])
  const oldest = newest === undefined ? '' : daysEarlier(newest, mostDaysBehind)
  const inTime = new Map([...untils].filter(([, until]) => until >= oldest))
  const isNew = (began: string, until: string | undefined) =>
    until !== undefined && began >= daysEarlier(until, days).slice(0, 10)
  const rows = dated.filter(
    ({ began, subjects }) =>
      began !== undefined && subjects.some((subject) => isNew(began, inTime.get(subject))),
  )
  return {
    rows: rows.map(({ row }) => row),
    looked: { apps: [...inTime.values()].map((until) => ({ until })), behind: untils.size - inTime.size },
  }
}
