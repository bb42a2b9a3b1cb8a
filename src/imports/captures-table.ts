import { basename, dirname, join, resolve } from 'node:path'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { namesShown } from '../ingest/unreadable.ts'
import { TruncatedError } from './decompress.ts'
import type { ImportRequest } from './import-request.ts'
import { type Input, inputsOf, utf8BytesOf } from './input-file.ts'
import { UnfitFileError } from './json-limits.ts'

/** A row of a captures table about a saved page, as text; blank cells are left out. */
export interface CaptureRow {
  term?: string
  country?: string
  capturedAt?: string
  capturedNotBefore?: string
  capturedNotAfter?: string
}

const columns = ['term', 'country', 'capturedAt', 'capturedNotBefore', 'capturedNotAfter'] as const

interface CapturesTable {
  rows: ReadonlyMap<string, CaptureRow>
  /** The directory whose files it describes; undefined for a table named in the command, which describes all. */
  directory: string | undefined
}

type Refuse = (input: Input, rejection: Rejection) => Promise<void>

/** The tables that describe saved pages: those among the inputs, and `captures.csv` beside a page. */
export class CapturesTables {
  readonly #refuse: Refuse
  readonly #note: (note: string) => void
  readonly #encoding: string | undefined
  readonly #tables: CapturesTable[] = []
  readonly #beside = new Set<string>()

  /** @param note receives warnings about a table */
  constructor(refuse: Refuse, note: (note: string) => void, encoding?: string) {
    this.#refuse = refuse
    this.#note = note
    this.#encoding = encoding
  }

  /** Separates the tables from the inputs. @returns the pages */
  async takeFrom(inputs: readonly Input[], { paths, directory }: ImportRequest): Promise<Input[]> {
    const named = new Set(paths.map((path) => resolve(directory, path)))
    const tables = inputs.filter(isTable)
    for (const input of tables) await this.#add(input, named.has(input.name) ? undefined : dirname(input.name))
    return inputs.filter((input) => !isTable(input))
  }

  /** The row of a page. A table named in the command takes precedence over one beside the page. */
  async rowOf(input: Input): Promise<CaptureRow | undefined> {
    if (input.name === '-') return undefined
    const directory = dirname(input.name)
    await this.#lookBeside(directory)
    const explaining = this.#tables.filter((table) => (table.directory ?? directory) === directory)
    const rows = explaining
      .toSorted((one, other) => Number(one.directory !== undefined) - Number(other.directory !== undefined))
      .map((table) => table.rows.get(plainName(input.name)))
    return rows.find((row) => row !== undefined)
  }

  async #lookBeside(directory: string): Promise<void> {
    if (this.#beside.has(directory)) return
    this.#beside.add(directory)
    const [beside] = await inputsOf([join(directory, 'captures.csv')], directory, undefined).catch(() => [])
    if (beside) await this.#add(beside, directory)
  }

  async #add(input: Input, directory: string | undefined): Promise<void> {
    this.#beside.add(dirname(input.name))
    try {
      const { rows, unread, rejected } = tableIn(await wholeTable(input, this.#encoding))
      if (unread.length > 0)
        this.#note(
          `${basename(input.name)} has columns that are not read: ${unread.join(', ')}. A captures table has file, ${columns.join(', ')}.`,
        )
      this.#tables.push({ rows, directory })
      for (const rejection of rejected) await this.#refuse(input, rejection)
    } catch (error) {
      const isRefused = [UnfitPayload, TruncatedError, UnfitFileError].some((kind) => error instanceof kind)
      if (!(error instanceof Error) || !isRefused) throw error
      await this.#refuse(input, { position: 'document', reason: error.message })
    }
  }
}

/** Maximum size of a captures table: rows for some hundred thousand pages. */
const largestTable = 32 * 1024 * 1024

async function wholeTable(input: Input, encoding: string | undefined): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of utf8BytesOf(input, () => {}, encoding)) {
    size += chunk.byteLength
    if (size > largestTable) throw new UnfitFileError('a captures table of over 32 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const isTable = ({ name }: Input) => /\.csv(\.gz)?$/i.test(name)

/** The name of a file without its directory and `.gz`. */
const plainName = (path: string) => basename(path).replace(/\.gz$/i, '')

/** @throws UnfitPayload when it is not a captures table */
function tableIn(bytes: Buffer): { rows: Map<string, CaptureRow>; unread: string[]; rejected: Rejection[] } {
  const { rows: read, rejected } = rowsOf(new RawPayload(bytes), { layout: 'csv', country: null }, 1)
  const rows = new Map<string, CaptureRow>()
  const known: readonly string[] = ['file', ...columns]
  const unread = Object.keys((read[0]?.record as object | undefined) ?? {}).filter(
    (column) => !known.includes(column),
  )
  for (const { position, record } of read) {
    const { file, ...reported } = record as Record<string, string | undefined>
    if (file === undefined)
      throw new UnfitPayload(
        isOfRanks(Object.keys(reported))
          ? 'a table of ranks that a keyword tracker tells: ranks are taken from whole result pages alone, which show who else stands there, and not one app at a time'
          : `not a captures table: it has no column "file", but ${namesShown(Object.keys(reported), 12)}`,
      )
    if (rows.has(plainName(file)))
      rejected.push({ position, reason: `${file} stands in the table twice`, record })
    else rows.set(plainName(file), rowWith(reported))
  }
  return { rows, unread, rejected }
}

/** Whether a table explains saved pages, by its columns. */
export const isCapturesTable = (names: readonly string[]) =>
  names.includes('file') && columns.some((column) => names.includes(column))

/** Whether a table has ranks of apps for keywords, as keyword trackers export them. */
const isOfRanks = (names: readonly string[]) =>
  names.some((name) => /^(?:keyword|(?:search )?term|query)$/i.test(name)) &&
  names.some((name) => /^(?:rank(?:ing)?|position)$/i.test(name))

const rowWith = (reported: Record<string, string | undefined>): CaptureRow =>
  Object.fromEntries(
    columns.flatMap((column) => (reported[column]?.trim() ? [[column, reported[column].trim()]] : [])),
  )
