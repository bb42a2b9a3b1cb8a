import type { z } from 'zod'
import type { OrganicPost } from '../contract/shapes/organic.ts'
import type { PaidAd } from '../contract/shapes/paid-ads.ts'
import { escapeFormulaCell } from '../domain/evidence/exported-reading.ts'
import {
  type AdField,
  adColumn,
  adFieldRow,
  adFieldsOf,
  adLevelFields,
  adReplyName,
} from '../vocabulary/ad-fields.ts'
import { stateHasValue } from '../vocabulary/facts.ts'
import {
  metrics,
  type PostField,
  postColumn,
  postFieldRow,
  postFieldsOf,
  postReplyName,
} from '../vocabulary/post-fields.ts'

/** A column of a table: its name and its value for a row. */
export interface ExportColumn<Row> {
  name: string
  of: (row: Row) => string
}

/** A value in three states, or a score. */
interface Fact {
  state: string
  value?: unknown
  reason?: string
  /** Index into the evidence of the row. */
  evidence?: number
  formula?: string
}

/** An observation in the form of replies. */
interface Observation {
  source: string
  surface: string
  country: string | null
  observedAt: string
}

function plain<Row>(name: string, value: (row: Row) => unknown): ExportColumn<Row>[] {
  return [{ name, of: (row) => cell(value(row)) }]
}

/**
 * Two columns for a fact: its value, empty unless measured or estimated; and its state, `measured`, `estimated`, `absent`, or the
 * reason why it is not measured, so that a missing value is never taken for zero. Both are empty where the row has no such fact.
 */
function fact<Row>(name: string, value: (row: Row) => Fact | undefined): ExportColumn<Row>[] {
  return [
    { name, of: (row) => cell(measuredValue(value(row))) },
    { name: `${name}State`, of: (row) => stateOf(value(row)) },
  ]
}

/** A numeric fact, and the position of its observation in `source` and the columns beside it, counted from 1. */
function numberFact<Row>(name: string, value: (row: Row) => Fact | undefined): ExportColumn<Row>[] {
  const evidence = (row: Row) => value(row)?.evidence
  const place = (row: Row) => {
    const index = evidence(row)
    return index === undefined ? undefined : index + 1
  }
  return [...fact(name, value), ...plain<Row>(`${name}Evidence`, place)]
}

/** A computed number, and its formula. */
function score<Row>(name: string, value: (row: Row) => Fact | undefined): ExportColumn<Row>[] {
  return [...fact(name, value), ...plain<Row>(`${name}Formula`, (row) => value(row)?.formula)]
}

/**
 * The evidence of a row: the same position in each of these columns is one observation, newest first; sources without
 * storefronts have no country.
 */
function evidence<Row>(of: (row: Row) => readonly Observation[]): ExportColumn<Row>[] {
  const each = (name: keyof Observation) => plain<Row>(name, (row) => of(row).map((one) => one[name] ?? ''))
  return [...each('source'), ...each('surface'), ...each('country'), ...each('observedAt')]
}

const measuredValue = (found: Fact | undefined) => (stateHasValue(found?.state) ? found?.value : undefined)

function stateOf(found: Fact | undefined): string {
  if (!found) return ''
  return found.state === 'not-measured' ? `not-measured: ${found.reason}` : found.state
}

/** Text unchanged, lists joined by ` | `, everything else as JSON; empty for null. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return escapeFormulaCell(value.map((each) => String(each)).join(' | '))
  return typeof value === 'string' ? escapeFormulaCell(value) : JSON.stringify(value)
}

export type ExportedPost = z.output<typeof OrganicPost>
export type ExportedAd = z.output<typeof PaidAd>

/** Ads with several cards or variants have a row for each; an ad without any has one row. */
export interface AdRow {
  ad: ExportedAd
  creative: ExportedAd['creatives'][number] | undefined
}

export function adRows(ad: ExportedAd): AdRow[] {
  const { creatives } = ad
  return creatives.length === 0
    ? [{ ad, creative: undefined }]
    : creatives.map((creative) => ({ ad, creative }))
}

/** Columns of fields of posts, without those that tables leave out. */
function postFacts(
  fields: readonly PostField[],
  of: (post: ExportedPost) => object,
): ExportColumn<ExportedPost>[] {
  return fields.flatMap((field) => {
    const column = postColumn(field)
    if (column === null) return []
    const value = (post: ExportedPost) => (of(post) as Record<string, Fact>)[postReplyName(field)]
    return postFieldRow(field).columnOfEvidence ? numberFact(column, value) : fact(column, value)
  })
}

export const postColumns: ExportColumn<ExportedPost>[] = [
  ...plain<ExportedPost>('postId', (post) => post.postId),
  ...plain<ExportedPost>('network', (post) => post.network),
  ...plain<ExportedPost>('url', (post) => post.url),
  ...plain<ExportedPost>('author', (post) => post.author.handle),
  ...postFacts(postFieldsOf.author, (post) => post.author),
  ...postFacts(postFieldsOf.post, (post) => post),
  ...metrics.flatMap((metric) => numberFact<ExportedPost>(metric, (post) => post.metrics[metric])),
  ...score<ExportedPost>('engagementRate', (post) => post.engagementRate),
  ...score<ExportedPost>('outlierScore', (post) => post.outlierScore),
  ...mediaColumns<ExportedPost>((post) => post),
  ...commonColumns<ExportedPost>((post) => post),
]

/** Whether the exporting account or another one imported the item itself, and through which interface; empty where none did. */
const providerOf = (of: { broughtBy?: ExportedAd['evidence'][number]['broughtBy'] } | undefined) =>
  of?.broughtBy ? `${of.broughtBy.account} ${of.broughtBy.door}` : ''

/** The days an ad ran stand after its end. */
const afterEnd = adLevelFields.indexOf('endedOn') + 1

/** Columns of fields of ads, without those that tables leave out. */
function adFacts(fields: readonly AdField[]): ExportColumn<AdRow>[] {
  return fields.flatMap((field) => {
    const { part, columnOfEvidence } = adFieldRow(field)
    const column = adColumn(field)
    if (column === null) return []
    const value = ({ ad, creative }: AdRow) => {
      const facts: object = (part === 'advertiser' ? ad.advertiser : part === 'creative' ? creative : ad) ?? {}
      return (facts as Record<string, Fact>)[adReplyName(field)]
    }
    return columnOfEvidence ? numberFact(column, value) : fact(column, value)
  })
}

export const adColumns: ExportColumn<AdRow>[] = [
  ...plain<AdRow>('platform', ({ ad }) => ad.platform),
  ...plain<AdRow>('archiveId', ({ ad }) => ad.archiveId),
  ...plain<AdRow>('libraryUrl', ({ ad }) => ad.libraryUrl),
  ...plain<AdRow>('advertiserId', ({ ad }) => ad.advertiser.advertiserId),
  ...adFacts(adLevelFields.slice(0, afterEnd)),
  ...score<AdRow>('daysRunning', ({ ad }) => ad.daysRunning),
  ...plain<AdRow>('daysRunningRelation', ({ ad }) =>
    ad.daysRunning.state === 'measured' ? ad.daysRunning.relation : '',
  ),
  ...adFacts(adLevelFields.slice(afterEnd)),
  ...plain<AdRow>('transcriptState', ({ ad }) => ad.transcriptState),
  ...plain<AdRow>('analysisState', ({ ad }) => ad.analysisState),
  ...plain<AdRow>('creativeId', ({ creative }) => creative?.creativeId),
  ...plain<AdRow>('position', ({ creative }) => creative?.position),
  ...plain<AdRow>('current', ({ creative }) => creative?.current),
  ...adFacts(adFieldsOf.creative),
  ...mediaColumns<AdRow>(({ creative }) => creative),
  ...commonColumns<AdRow>(({ ad }) => ad),
  ...plain<AdRow>('broughtBy', ({ ad }) => ad.evidence.map(providerOf)),
  ...plain<AdRow>('linkBroughtBy', ({ ad }) => ad.links.map(({ grounds }) => providerOf(grounds[0]))),
]

function mediaColumns<Row>(
  of: (row: Row) => Pick<ExportedPost, 'media' | 'mediaStatus'> | undefined,
): ExportColumn<Row>[] {
  return [
    ...plain<Row>('mediaStatus', (row) => of(row)?.mediaStatus.status),
    ...plain<Row>('mediaUrls', (row) =>
      of(row)?.media.flatMap(({ sourceUrl }) => (sourceUrl === null ? [] : [sourceUrl])),
    ),
    ...plain<Row>('keptMedia', (row) =>
      of(row)?.media.flatMap(({ kept }) => (kept.status === 'stored' ? [kept.sha256] : [])),
    ),
  ]
}

type Creative = Pick<
  ExportedPost,
  'evidence' | 'links' | 'firstObservedAt' | 'lastObservedAt' | 'observationCount' | 'saved'
>

/** Linked apps with the strongest attribution of each, observations with their evidence, and the account's notes from saving. */
function commonColumns<Row>(of: (row: Row) => Creative): ExportColumn<Row>[] {
  return [
    ...plain<Row>('firstObservedAt', (row) => of(row).firstObservedAt),
    ...plain<Row>('lastObservedAt', (row) => of(row).lastObservedAt),
    ...plain<Row>('observations', (row) => of(row).observationCount),
    ...evidence<Row>((row) => of(row).evidence),
    ...plain<Row>('linkedApps', (row) => of(row).links.map(({ app }) => app.storeId)),
    ...plain<Row>('linkGrounds', (row) => of(row).links.map(({ grounds }) => grounds[0]?.kind ?? '')),
    ...plain<Row>('savedAt', (row) => of(row).saved?.savedAt),
    ...plain<Row>('savedNote', (row) => of(row).saved?.note),
    ...plain<Row>('savedTags', (row) => of(row).saved?.tags),
  ]
}
