import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { isKeywordColumn, type KeywordRow, keywordRows, signOf } from '../../vocabulary/list-columns.ts'
import type { CommandContext } from '../command-context.ts'

/** Input cannot be read; the message says why. */
export class InputError extends Error {}

/** Standard input, which only one option may read. */
export class StandardInput {
  readonly #context: Pick<CommandContext, 'stdin' | 'directory'>
  #takenBy: string | undefined
  /** The list that was read from it, and the argument it is for. */
  list: { name: string; values: readonly ListedValue[] } | undefined

  constructor(context: Pick<CommandContext, 'stdin' | 'directory'>) {
    this.#context = context
  }

  /** The directory that paths of input files refer to. */
  get directory(): string {
    return this.#context.directory
  }

  /** @throws InputError when another option has it */
  async read(option: string): Promise<string> {
    if (this.#takenBy !== undefined) throw new InputError(`standard input is read for ${this.#takenBy} already`)
    this.#takenBy = option
    return textOf(this.#context.stdin, 'standard input')
  }
}

/**
 * A value given as JSON text, as `@file` or as `-` for standard input. A file holds one JSON value or one a line.
 * @throws InputError saying where it cannot be read
 */
export async function readJson(given: string, option: string, stdin: StandardInput): Promise<unknown> {
  if (given === '-') return parse(await stdin.read(option), 'standard input')
  if (!given.startsWith('@')) return parse(given, 'the value')
  const file = given.slice(1)
  try {
    return parse(await textOf(createReadStream(resolve(stdin.directory, file)), file), file)
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(
      `cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
    )
  }
}

/** A value of a list, with arguments of the operation that its row of a table gives beside. */
export interface ListedValue {
  value: string
  beside: Readonly<Record<string, unknown>>
}

/**
 * One value a line on standard input, or the keywords of a table as keyword tools export it, with their tags and notes; empty ones
 * do not count.
 * @throws InputError
 */
export async function readList(option: string, stdin: StandardInput): Promise<ListedValue[]> {
  const text = (await stdin.read(option)).replace(/^\uFEFF/, '')
  const listed = await keywordsIn(text)
  if (!listed)
    return text.split(/\r\n|[\r\n]/).flatMap((value) => (value.trim() === '' ? [] : [{ value, beside: {} }]))
  const countries = [...new Set(listed.flatMap(({ country }) => (country ? [country.toLowerCase()] : [])))]
  if (countries.length > 1)
    throw new InputError(
      `its keywords are of ${countries.slice(0, 5).join(', ')}, and a tracked app is of one storefront: give the rows of one, or have the operator run rivalscope import keywords`,
    )
  return listed.map(({ term, country: _, ...beside }) => ({ value: term, beside }))
}

/** The keywords of a table; undefined where the text is none. @throws InputError */
async function keywordsIn(text: string): Promise<KeywordRow[] | undefined> {
  const [line, stated] = /^"?sep=([\t -~])"?\r?\n/i.exec(text) ?? []
  const table = line ? text.slice(line.length) : text
  const [header = ''] = table.split(/[\r\n]/, 1)
  const delimiter = stated ?? signOf(header)
  if (delimiter === undefined) return undefined
  const { parse: parseTable } = await import('csv-parse/sync')
  try {
    return keywordRows(
      parseTable(table, { delimiter, relaxColumnCount: true, skipEmptyLines: true, trim: true }),
    )
  } catch (error) {
    if (!header.split(delimiter).some(isKeywordColumn)) return undefined
    throw new InputError(`standard input is no table that can be read: ${(error as Error).message}`)
  }
}

/** Bytes that are read at most: a request holds 1 MiB, and a file may be laid out with as many spaces again. */
const most = 8 * 1_048_576

async function textOf(stream: Readable, from: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most)
      throw new InputError(`${from} is more than a request can hold; rivalscope import takes large files`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(written: string, from: string): unknown {
  const content = written.replace(/^\uFEFF/, '')
  if (content.trim() === '') throw new InputError(`${from} is empty`)
  try {
    return JSON.parse(content)
  } catch (error) {
    const lines = content.split(/\r?\n/)
    const filled = lines.filter((line) => line.trim() !== '')
    if (filled.length < 2 || !isJson(filled[0]))
      throw new InputError(`${from} is not valid JSON: ${(error as Error).message}`)
    const wrong = lines.findIndex((line) => line.trim() !== '' && !isJson(line))
    if (wrong >= 0) throw new InputError(`${from}, line ${wrong + 1} is not valid JSON`)
    return filled.map((line) => JSON.parse(line))
  }
}

function isJson(text = ''): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
