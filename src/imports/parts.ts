import { basename } from 'node:path'
import { parseDocument, parseJson } from '../ingest/json.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { isChartFeed } from '../suppliers/apple/chart-feeds.ts'
import { usualList } from '../suppliers/own-files/chart-row-values.ts'
import { presets } from '../suppliers/post-forms.ts'
import { postLists } from '../suppliers/registry.ts'
import { isRankTool } from '../vocabulary/keyword-rank-tools.ts'
import { TruncatedError } from './decompress.ts'
import type { ImportKind, ImportRequest } from './import-request.ts'
import { type Input, utf8BytesOf } from './input-file.ts'
import { UnfitFileError } from './json-limits.ts'
import type { DamagedPart, FilePiece } from './piece.ts'
import { largestDocument, splitIntoPieces } from './pieces.ts'
import { peekForExport } from './read-exported.ts'

/** A piece of an input, or why a part of it was rejected. */
export interface InputPart {
  input: Input
  piece: FilePiece | DamagedPart
  /** Whether it holds readings exported by Rivalscope. */
  isExported: boolean
}

/** Called after each read, and at the end of each input. */
export type ImportProgress = (done: number, total: number, file: string) => void

/** The parts of all inputs, in order, each read when it is asked for. */
export async function* inputParts(
  inputs: readonly Input[],
  request: ImportRequest,
  onProgress: ImportProgress,
): AsyncGenerator<InputPart> {
  const total = inputs.reduce((sum, input) => sum + input.bytes, 0)
  let done = 0
  for (const input of inputs) {
    const before = done
    yield* partsOfOne(input, request, (bytes) => {
      done += bytes
      onProgress(done, total, basename(input.name))
    })
    if (input.bytes > 0) done = before + input.bytes
    onProgress(done, total, basename(input.name))
  }
}

async function* partsOfOne(
  input: Input,
  request: ImportRequest,
  progress: (bytes: number) => void,
): AsyncGenerator<InputPart> {
  const damaged = (position: string, reason: string): InputPart => {
    return { input, piece: { position, reason }, isExported: false }
  }
  try {
    const layout = layoutAsked(request)
    // Rows of a sales report depend on each other, and so do ranks of one day.
    const together = ['sales', 'keyword-ranks'].includes(request.kind) ? largestDocument : undefined
    const lists = request.mapping?.list ?? usualLists[request.kind]
    const { isExported, bytes } = await peekForExport(utf8BytesOf(input, progress, request.encoding))
    const mayHoldSeveral = request.kind === 'charts' && !request.mapping?.list
    for await (const read of splitIntoPieces(bytes, isExported ? 'lines' : layout, lists, together)) {
      const pieces = mayHoldSeveral && 'bytes' in read ? chartPieces(read) : [read]
      for (const piece of pieces) yield { input, piece, isExported }
    }
  } catch (error) {
    if (error instanceof UnfitFileError) yield damaged('document', error.message)
    else if (error instanceof TruncatedError) yield damaged('end of file', error.message)
    else throw error
  }
}

/** The path of the list in long documents of a kind, unless a mapping names it. */
const usualLists: Partial<Record<ImportKind, string | readonly string[]>> = {
  charts: ['charts', 'datasets', 'feeds', 'items', 'entries', 'results', 'apps'],
  organic: postLists,
  'paid-ads': 'data',
}

function layoutAsked({ kind, format }: ImportRequest) {
  if (kind === 'search-results') return 'document'
  if (format === 'csv') return 'csv'
  if (format === 'ndjson') return 'lines'
  return format && !(format in presets) && !isRankTool(format) ? 'document' : undefined
}

/** One of several charts in a document, with the properties that they share. */
interface Section {
  position: string
  chart: object | undefined
}

/** Maximum nesting of charts in a document, such as a list of lists by country. */
const deepest = 4

/**
 * Cuts a piece with several charts, in one document or one a line, into a piece for each. Any other piece stays as it is.
 */
function* chartPieces(piece: FilePiece): Generator<FilePiece | DamagedPart> {
  const sections =
    piece.layout === 'document' ? sectionsOf(piece) : piece.layout === 'lines' ? linesOf(piece) : []
  if (sections.length === 0) return yield piece
  for (const { position, chart } of sections) {
    if (chart)
      yield {
        layout: 'document',
        bytes: Buffer.from(JSON.stringify(chart)),
        from: 1,
        part: 1,
        within: position,
      }
    else
      yield {
        position,
        reason: 'no chart, where others of its list are: neither a feed of Apple nor a list of places',
      }
  }
}

/** The charts of a document; none where it is a single one, or cannot be read. */
function sectionsOf({ bytes }: FilePiece): Section[] {
  if (!mayHoldSeveral(bytes.toString('latin1'))) return []
  const document = unlessUnfit(() => parseDocument(bytes))
  const found = sectionsIn(document, '', {}, deepest)
  return found.length === 1 && found[0]?.position === '' ? [] : found
}

/**
 * Whether the text names more lists or feeds than one chart has. A cheap check, so that the usual file of one chart is not
 * parsed twice.
 */
function mayHoldSeveral(text: string): boolean {
  const names = text.match(/"(?:feed|items|entries|results|apps)"\s*:\s*[[{]/g) ?? []
  const ofOne = names.some((name) => name.startsWith('"feed')) ? 2 : 1
  return names.length > ofOne || (names.length > 0 && text.trimStart().startsWith('['))
}

function sectionsIn(value: unknown, position: string, around: object, depth: number): Section[] {
  const within = (list: unknown[], name: string, near: object) =>
    list.flatMap((one, index): Section[] => {
      const place = `${name}${name === '' ? '' : ' '}${index + 1}`
      const found = sectionsIn(one, position === '' ? place : `${position}, ${place}`, near, depth - 1)
      return found.length > 0 ? found : [{ position: place, chart: undefined }]
    })
  if (!isObject(value) || depth === 0) return []
  if (isChartFeed(value)) return [{ position, chart: value }]
  if (Array.isArray(value)) return holdsCharts(value, depth) ? within(value, 'chart', around) : []
  const parts = Object.entries(value)
  const near = { ...around, ...Object.fromEntries(parts.filter(([, part]) => !isObject(part))) }
  const lists = parts.filter(
    (part): part is [string, unknown[]] => Array.isArray(part[1]) && holdsCharts(part[1], depth),
  )
  if (lists.length > 0) return lists.flatMap(([name, list]) => within(list, name, near))
  if (usualList(value) !== undefined) return [{ position, chart: { ...around, ...value } }]
  const objects = parts.filter(([, part]) => isObject(part) && !Array.isArray(part))
  return objects.flatMap(([name, part]) =>
    sectionsIn(part, position === '' ? name : `${position}, ${name}`, near, depth - 1),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a list holds charts, and not the places of one chart. */
const holdsCharts = (list: readonly unknown[], depth: number): boolean =>
  list.some((one) => isObject(one) && !Array.isArray(one) && sectionsIn(one, '', {}, depth - 1).length > 0)

/** Charts as JSON lines; none where the first line is a place of a chart. */
function linesOf({ bytes, from }: FilePiece): Section[] {
  const isChart = (line: string) => {
    const value = unlessUnfit(() => parseJson(line))
    return isObject(value) && sectionsIn(value, '', {}, deepest).length > 0
  }
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .map((line, index) => ({ line, position: `line ${from + index}` }))
    .filter(({ line }) => line.trim() !== '')
  if (!lines[0] || !isChart(lines[0].line)) return []
  return lines.flatMap(({ line, position }): Section[] => {
    const found = sectionsIn(
      unlessUnfit(() => parseJson(line)),
      position,
      {},
      deepest,
    )
    return found.length > 0 ? found : [{ position, chart: undefined }]
  })
}

function unlessUnfit(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnfitPayload || error instanceof SyntaxError) return undefined
    throw error
  }
}
