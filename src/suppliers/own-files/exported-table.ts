import { z } from 'zod'
import { unguarded } from '../../domain/evidence/exported-reading.ts'
import {
  type AdField,
  type AdKind,
  adColumn,
  adFields,
  adFieldsOf,
  adReplyName,
  fieldsBesideAdvertiser,
} from '../../vocabulary/ad-fields.ts'
import {
  eachMetric,
  type PostField,
  type PostKind,
  postColumn,
  postFields,
  postFieldsOf,
  postReplyName,
} from '../../vocabulary/post-fields.ts'

type Row = Record<string, string>

/** What whoever imports a table of an export of ours is told. */
export const tableNote =
  'a table holds the newest figures, without addresses of media by kind and former cards; an export as NDJSON brings back everything'

/** Whether a row stands in a table of an export of ours. */
export const isExportedRow = (record: unknown): record is Row =>
  typeof record === 'object' &&
  record !== null &&
  ['observations', 'firstObservedAt', 'lastObservedAt', 'observedAt', 'linkGrounds'].every(
    (column) => column in record,
  )

const cell = (row: Row, name: string): string => unguarded(row[name] ?? '')
const textOf = (row: Row, name: string): string | null => cell(row, name) || null
const listOf = (row: Row, name: string): string[] => cell(row, name).split(' | ').filter(Boolean)

/** A fact as the item has it that the row is of. @param read the value of its cell */
function factOf(row: Row, name: string, read: (row: Row, name: string) => unknown = cell) {
  const [state, reason] = (row[`${name}State`] ?? '').split(': ')
  const place = row[`${name}Evidence`]
  const evidence = place ? { evidence: Number(place) - 1 } : {}
  if (state === 'measured') return { state, value: read(row, name), ...evidence }
  return state === 'absent' ? { state, ...evidence } : { state: 'not-measured', ...(reason ? { reason } : {}) }
}

const numberOf = (row: Row, name: string) => Number(cell(row, name))
const yesOrNo = (row: Row, name: string) => cell(row, name) === 'true'

/** What posts and ads have in common. */
function commonOf(row: Row) {
  const sources = listOf(row, 'source')
  const evidence = listOf(row, 'observedAt').map((observedAt, index) => ({
    observedAt,
    source: sources[index] ?? '',
  }))
  const language = factOf(row, 'language')
  // Only what nobody stated was recognised.
  const recognised = evidence.findIndex(({ source }) => source === 'derived')
  return {
    language:
      language.state === 'measured' && recognised >= 0 ? { ...language, evidence: recognised } : language,
    firstObservedAt: cell(row, 'firstObservedAt'),
    lastObservedAt: cell(row, 'lastObservedAt'),
    observationCount: numberOf(row, 'observations'),
    evidence,
  }
}

/** How cells of posts are read, by what their field holds; others are text. */
const postCells: { readonly [Kind in PostKind]?: (row: Row, name: string) => unknown } = {
  count: numberOf,
  tags: listOf,
  addresses: listOf,
}

/** The fields that a row of posts has, as facts by their names in replies. */
const factsOfPost = (row: Row, fields: readonly PostField[]) =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const column = postColumn(field)
      return column ? [[postReplyName(field), factOf(row, column, postCells[postFields[field].kind])]] : []
    }),
  )

/** The post of a row, as lines of an export tell it, as far as the table does. */
export function postOfRow(row: Row): object {
  const common = commonOf(row)
  return {
    postId: cell(row, 'postId'),
    network: cell(row, 'network'),
    url: cell(row, 'url'),
    author: { handle: textOf(row, 'author'), ...factsOfPost(row, postFieldsOf.author) },
    ...factsOfPost(row, postFieldsOf.post),
    ...common,
    mediaStatus: { status: cell(row, 'mediaStatus') },
    media: [],
    metrics: {
      observedAt: common.lastObservedAt,
      ...eachMetric((metric) => factOf(row, metric, numberOf)),
    },
  }
}

/** How cells of ads are read, by what their field holds; others are text. */
const adCells: { readonly [Kind in AdKind]?: (row: Row, name: string) => unknown } = {
  names: listOf,
  countries: listOf,
  publishers: listOf,
  flag: yesOrNo,
}

/** The fields that a row of ads has, as facts by their names in replies. */
const factsOfAd = (row: Row, fields: readonly AdField[]) =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const column = adColumn(field)
      return column ? [[adReplyName(field), factOf(row, column, adCells[adFields[field].kind])]] : []
    }),
  )

/** Whether accounts brought any of what stands in a row of ads, which does not tell what of it. */
export const holdsBrought = (row: Row): boolean => /[^ |]/.test(row.broughtBy ?? '')

/** The ad of a row with the card the row is of, where the newest observation shows it: of others no time is told. */
export function adOfRow(row: Row): Record<string, unknown> {
  const common = commonOf(row)
  const { lastObservedAt } = common
  const creative = {
    position: numberOf(row, 'position'),
    ...factsOfAd(row, adFieldsOf.creative),
    mediaStatus: { status: cell(row, 'mediaStatus') },
    media: [],
    firstObservedAt: lastObservedAt,
    lastObservedAt,
  }
  return {
    platform: cell(row, 'platform'),
    archiveId: cell(row, 'archiveId'),
    advertiser: { advertiserId: textOf(row, 'advertiserId'), ...factsOfAd(row, adFieldsOf.advertiser) },
    ...factsOfAd(row, fieldsBesideAdvertiser),
    ...common,
    creatives: yesOrNo(row, 'current') ? [creative] : [],
    observations: [],
    links: [],
  }
}

/** What of an item an account saved, as lines of an export tell it; null where it did not. */
export function savedOfRow(row: Row): object {
  const savedAt = textOf(row, 'savedAt')
  const saved = savedAt && { savedAt, note: textOf(row, 'savedNote'), tags: listOf(row, 'savedTags') }
  const named =
    'postId' in row
      ? { postId: cell(row, 'postId') }
      : { platform: cell(row, 'platform'), archiveId: cell(row, 'archiveId') }
  return { ...named, saved }
}

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
