import { z } from 'zod'
import { unescapeFormulaCell } from '../../domain/evidence/exported-reading.ts'
import {
  type AdField,
  type AdFieldKind,
  adColumn,
  adFields,
  adFieldsOf,
  adLevelFieldsWithoutAdvertiser,
  adReplyName,
} from '../../vocabulary/ad-fields.ts'
import {
  mapMetrics,
  type PostField,
  type PostFieldKind,
  postColumn,
  postFields,
  postFieldsOf,
  postReplyName,
} from '../../vocabulary/post-fields.ts'

type Row = Record<string, string>

/** The note for an import of a table exported by Rivalscope. */
export const tableNote =
  'a table holds the newest figures, without addresses of media by kind and former cards; an export as NDJSON brings back everything'

/** Whether a row is from a table exported by Rivalscope. */
export const isExportedRow = (record: unknown): record is Row =>
  typeof record === 'object' &&
  record !== null &&
  ['observations', 'firstObservedAt', 'lastObservedAt', 'observedAt', 'linkGrounds'].every(
    (column) => column in record,
  )

const cell = (row: Row, name: string): string => unescapeFormulaCell(row[name] ?? '')
const textOf = (row: Row, name: string): string | null => cell(row, name) || null
const listOf = (row: Row, name: string): string[] => cell(row, name).split(' | ').filter(Boolean)

/** A fact of the exported item, in the form of a reply. @param read the value of its cell */
function factOf(row: Row, name: string, read: (row: Row, name: string) => unknown = cell) {
  const [state, reason] = (row[`${name}State`] ?? '').split(': ')
  const place = row[`${name}Evidence`]
  const evidence = place ? { evidence: Number(place) - 1 } : {}
  if (state === 'measured') return { state, value: read(row, name), ...evidence }
  return state === 'absent' ? { state, ...evidence } : { state: 'not-measured', ...(reason ? { reason } : {}) }
}

const numberOf = (row: Row, name: string) => Number(cell(row, name))
const yesOrNo = (row: Row, name: string) => cell(row, name) === 'true'

/** The fields shared by posts and ads. */
function commonOf(row: Row) {
  const sources = listOf(row, 'source')
  const evidence = listOf(row, 'observedAt').map((observedAt, index) => ({
    observedAt,
    source: sources[index] ?? '',
  }))
  const language = factOf(row, 'language')
  // A language is only detected where none was stated.
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
const postCells: { readonly [Kind in PostFieldKind]?: (row: Row, name: string) => unknown } = {
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

/** The post of a row, in the form of exported JSON lines, as far as the table has it. */
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
      ...mapMetrics((metric) => factOf(row, metric, numberOf)),
    },
  }
}

/** How cells of ads are read, by what their field holds; others are text. */
const adCells: { readonly [Kind in AdFieldKind]?: (row: Row, name: string) => unknown } = {
  names: listOf,
  countries: listOf,
  publishers: listOf,
  codes: listOf,
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

/** Whether a row of ads contains user-provided evidence; the row does not say which part. */
export const holdsUserProvided = (row: Row): boolean => /[^ |]/.test(row.broughtBy ?? '')

/** The ad of a row with the row's card, if the newest observation shows it: for other cards no time is known. */
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
    ...factsOfAd(row, adLevelFieldsWithoutAdvertiser),
    ...common,
    creatives: yesOrNo(row, 'current') ? [creative] : [],
    observations: [],
    links: [],
  }
}

/** The saved mark of an item, in the form of exported JSON lines; null where it was not saved. */
export function savedOfRow(row: Row): object {
  const savedAt = textOf(row, 'savedAt')
  const saved = savedAt && { savedAt, note: textOf(row, 'savedNote'), tags: listOf(row, 'savedTags') }
  const named =
    'postId' in row
      ? { postId: cell(row, 'postId') }
      : { platform: cell(row, 'platform'), archiveId: cell(row, 'archiveId') }
  return { ...named, saved }
}

/** Facts in the form of our exports: `evidence` is the index of their observation. */
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

/** Whether a record is an item exported by Rivalscope, and not a record written by hand in our format. */
export const isExported = (record: object): boolean =>
  'observationCount' in record && 'evidence' in record && Array.isArray(record.evidence)

/**
 * The value of a fact: null where absent, undefined where not carried, or computed by Rivalscope.
 * @returns with the time of observation, where known
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
