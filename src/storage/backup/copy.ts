import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from, to } from 'pg-copy-streams'
import type { StoredTable } from './tables.ts'

/** The content of a table, independent of the order of its rows: their number, and a sum of their hashes in hexadecimal. */
export interface TableContent {
  rows: number
  sum: string
}

const newline = 10

/** Counts and sums the rows of a COPY in text form, one row a line. */
export class RowSum {
  #rows = 0
  #sum = 0n
  /** The beginning of a row whose end is in a later chunk. */
  #begun: Buffer[] = []

  get content(): TableContent {
    return { rows: this.#rows, sum: this.#sum.toString(16).padStart(16, '0') }
  }

  add(chunk: Buffer): void {
    let at = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      this.#count(chunk.subarray(at, end + 1))
      at = end + 1
    }
    if (at < chunk.length) this.#begun.push(chunk.subarray(at))
  }

  #count(end: Buffer): void {
    const row = this.#begun.length === 0 ? end : Buffer.concat([...this.#begun, end])
    this.#begun = []
    this.#rows++
    this.#sum = BigInt.asUintN(64, this.#sum + hash('sha256', row, 'buffer').readBigUInt64BE())
  }

  /** Passes the chunks on unchanged and counts their rows. */
  async *through(
    chunks: AsyncIterable<Buffer>,
    onRows: (rows: number) => void = () => {},
  ): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.add(chunk)
      onRows(this.#rows)
      yield chunk
    }
  }
}

/** The rows of a table as COPY writes them in text form. */
export function copyOutOfTable(client: PoolClient, table: Pick<StoredTable, 'name' | 'columns'>): Readable {
  return copyQuery(
    client,
    `select ${columnsOf(client, table)} from public.${client.escapeIdentifier(table.name)}`,
  )
}

/** The rows of a query as COPY writes them. */
export function copyQuery(client: PoolClient, query: string): Readable {
  return client.query(to(`copy (${query}) to stdout`))
}

/** Adds rows to a table, in the form that `copyOutOfTable` gives. */
export async function copyIntoTable(
  client: PoolClient,
  table: Pick<StoredTable, 'name' | 'columns'>,
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const target = `${client.escapeIdentifier(table.name)} (${columnsOf(client, table)})`
  await pipeline(chunks, client.query(from(`copy ${target} from stdin`)), { signal })
}

/** Reads a table to its end. Returns its content. */
export async function tableContentOf(
  client: PoolClient,
  table: Pick<StoredTable, 'name' | 'columns'>,
  signal: AbortSignal,
): Promise<TableContent> {
  const sum = new RowSum()
  await pipeline(
    copyOutOfTable(client, table),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) sum.add(chunk)
    },
    { signal },
  )
  return sum.content
}

export const isSameContent = (one: TableContent, other: TableContent): boolean =>
  one.rows === other.rows && one.sum === other.sum

const columnsOf = (client: PoolClient, { columns }: Pick<StoredTable, 'columns'>) =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ')
