import { basename } from 'node:path'
import { postLists, presets } from '../ingest/posts/post-forms.ts'
import { chartPieces } from './chart-documents.ts'
import type { ImportKind, ImportRequest } from './import-request.ts'
import { bytesOf, type Input } from './input-file.ts'
import { UnfitFileError } from './json-bounds.ts'
import type { Damage, Piece } from './piece.ts'
import { largestDocument, piecesOf } from './pieces.ts'
import { peeked } from './read-exported.ts'
import { TruncatedError } from './unpacked.ts'

/** A piece of an input, or why a part of it is none. */
export interface Part {
  input: Input
  piece: Piece | Damage
  /** Whether it holds readings of an export of ours. */
  isExported: boolean
}

/** Told after each read, and at the end of each input. */
export type ImportProgress = (done: number, total: number, file: string) => void

/** The parts of all inputs, in order, each read when it is asked for. */
export async function* partsOf(
  inputs: readonly Input[],
  request: ImportRequest,
  onProgress: ImportProgress,
): AsyncGenerator<Part> {
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
): AsyncGenerator<Part> {
  const damaged = (position: string, reason: string): Part => {
    return { input, piece: { position, reason }, isExported: false }
  }
  try {
    const layout = layoutAsked(request)
    // Rows of a sales report depend on each other.
    const together = request.kind === 'sales' ? largestDocument : undefined
    const lists = request.mapping?.list ?? usualLists[request.kind]
    const { isExported, bytes } = await peeked(bytesOf(input, progress, request.encoding))
    const mayHoldSeveral = request.kind === 'charts' && !request.mapping?.list
    for await (const read of piecesOf(bytes, isExported ? 'lines' : layout, lists, together)) {
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
  return format && !(format in presets) ? 'document' : undefined
}
