import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { ensureMonths, monthOfId } from '../../storage/months.ts'
import { type Dictionary, type PackedPayload, type Payload, rawPayload } from './packed-payload.ts'

/** Columns of payloads, from which `withDictionaries` makes a `PackedPayload`. */
export const packedColumns = sql`
  content, to_char(month, 'YYYY-MM') as month, encode(dictionary_hash, 'hex') as "dictionaryHash"`

export interface Packed {
  content: Uint8Array
  /** `YYYY-MM`. */
  month: string
  /** In hex. */
  dictionaryHash: string | null
}

/** A payload that others are compressed with is not stored, as after a restore of a part of a store. */
class LostPayloadError extends Error {
  constructor(hash: string, month: string) {
    super(
      `The payload ${hash} of ${month}, which others of its month were packed with, is lost: restore the table "payloads" from a backup.`,
    )
  }
}

/** For `catch`: undefined where bytes were lost. @throws any other error */
export function unlessLost(error: unknown): undefined {
  if (!(error instanceof LostPayloadError)) throw error
}

interface NamedPayload {
  hash: string
  /** `YYYY-MM`. */
  month: string
}

const nameOf = ({ hash, month }: NamedPayload) => `${month} ${hash}`

/** Those of the payloads that are stored, by `nameOf`. */
async function payloadsOf(
  db: Database,
  named: readonly NamedPayload[],
): Promise<Map<string, Packed & { hash: string }>> {
  const sent = named.map(({ hash, month }) => ({ hash, month: `${month}-01` }))
  const found = await rows(
    db,
    sql<Packed & { hash: string }>`
      select encode(payload_hash, 'hex') as hash, ${packedColumns}
      from payloads where (payload_hash, month) in (
        select decode(hash, 'hex'), month
        from json_to_recordset(${JSON.stringify(sent)}::json) as named(hash text, month date))`,
  )
  return new Map(found.map((one) => [nameOf(one), one]))
}

/**
 * Adds to payloads what each was compressed with: a statement for each link of the longest chain, of which there are five at
 * most, unless the same bytes were stored again later.
 * @param known payloads that were read before, by `nameOf`
 * @throws LostPayloadError
 */
export async function withDictionaries<Row extends Packed>(
  db: Database,
  packed: readonly Row[],
  known = new Map<string, Packed & { hash: string }>(),
): Promise<(Omit<Row, 'month' | 'dictionaryHash'> & PackedPayload)[]> {
  const linkOf = ({ month, dictionaryHash }: Packed) =>
    dictionaryHash === null ? [] : [{ hash: dictionaryHash, month }]
  const links = new Map(known)
  for (let wanted = packed.flatMap(linkOf); wanted.length > 0; ) {
    const missing = new Map(wanted.filter((one) => !links.has(nameOf(one))).map((one) => [nameOf(one), one]))
    const found = missing.size > 0 ? await payloadsOf(db, [...missing.values()]) : new Map<string, never>()
    for (const [name, one] of missing) {
      const link = found.get(name)
      if (!link) throw new LostPayloadError(one.hash, one.month)
      links.set(name, link)
    }
    wanted = [...new Map(wanted.map((one) => [nameOf(one), one])).keys()].flatMap((name) =>
      linkOf(links.get(name) as Packed),
    )
  }
  const whole = new Map<string, PackedPayload>()
  const dictionaryOf = (row: Packed): PackedPayload | undefined => {
    const [link] = linkOf(row)
    if (!link) return undefined
    const made = whole.get(nameOf(link))
    if (made) return made
    const stored = links.get(nameOf(link)) as Packed
    const dictionary = { content: stored.content, dictionary: dictionaryOf(stored) }
    whole.set(nameOf(link), dictionary)
    return dictionary
  }
  return packed.map((row) => {
    const { month: _, dictionaryHash: __, ...rest } = row
    return { ...rest, dictionary: dictionaryOf(row) }
  })
}

/**
 * Stores new payloads in the partition of their readings' month, which is created for the readings as well, in one order
 * everywhere, so that writers cannot deadlock.
 */
export async function insertPayloads(
  db: Database,
  payloads: readonly (Payload & { readingId: string })[],
): Promise<void> {
  // All contents go as one value, which the driver sends as bytes; each is cut out of it.
  let at = 1
  const sent = payloads.map(({ readingId, hash, content, bytes, dictionary }) => {
    const from = at
    at += content.byteLength
    return {
      hash,
      month: `${monthOfId(readingId)}-01`,
      from,
      length: content.byteLength,
      bytes,
      dictionary: dictionary?.hash,
    }
  })
  const contents = Buffer.concat(payloads.map(({ content }) => content))
  await ensureMonths(
    db,
    ['payloads', 'readings'],
    payloads.map(({ readingId }) => monthOfId(readingId)),
  )
  await sql`
    insert into payloads (payload_hash, month, content, content_bytes, dictionary_hash)
    select decode(hash, 'hex'), month, substring(${contents}::bytea from "from" for length), bytes, decode(dictionary, 'hex')
    from json_to_recordset(${JSON.stringify(sent)}::json)
      as sent(hash text, month date, "from" integer, length integer, bytes integer, dictionary text)
    order by hash, month
    on conflict (payload_hash, month) do nothing`.execute(db)
}

/** The last payload of a subject and month, and what it depends on. */
export interface PayloadChain {
  /** Payloads of the subject and month since one was packed alone, itself not counted. */
  position: number
  /** What it was compressed with, the first packed alone, each with the one before it; itself last. */
  path: Dictionary[]
}

/**
 * What new payloads of these subjects, in hex, are compressed with in a month, `YYYY-MM`, by subject; without those of which
 * something was lost.
 */
export async function payloadChains(
  db: Database,
  month: string,
  subjects: readonly string[],
): Promise<Map<string, PayloadChain>> {
  if (subjects.length === 0) return new Map()
  const day = `${month}-01`
  const found = await rows(
    db,
    sql<{ subject: string; position: number; path: string[] }>`
      select encode(subject, 'hex') as subject, position, array(select encode(hash, 'hex') from unnest(path) hash) as path
      from payload_dictionaries
      where subject in (select decode(value, 'hex') from json_array_elements_text(${JSON.stringify(subjects)}::json))
        and month = ${day}::date`,
  )
  if (found.length === 0) return new Map()
  const stored = await payloadsOf(
    db,
    found.flatMap(({ path }) => path.map((hash) => ({ hash, month }))),
  )
  const packed = (await withDictionaries(db, [...stored.values()], stored).catch(unlessLost)) ?? []
  const byHash = new Map([...stored.values()].map(({ hash }, at) => [hash, packed[at]]))
  const chains = new Map<string, PayloadChain>()
  for (const { subject, position, path } of found) {
    const links = path.map(async (hash) => {
      const link = byHash.get(hash)
      return link && { hash, month, raw: await rawPayload(link) }
    })
    const read = (await Promise.allSettled(links)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    )
    const whole = read.filter((one) => one !== undefined)
    if (whole.length === path.length) chains.set(subject, { position, path: whole })
  }
  return chains
}

/** Keeps the last payload of each subject, in hex, of a month, `YYYY-MM`; of several of one the last. */
export async function keepPayloadChains(
  db: Database,
  chains: readonly (PayloadChain & { subject: string; month: string })[],
): Promise<void> {
  if (chains.length === 0) return
  const last = new Map(
    chains.map(({ subject, month, position, path }) => [
      subject,
      {
        subject,
        month: `${month}-01`,
        position,
        path: `{${path.map(({ hash }) => `\\\\x${hash}`).join(',')}}`,
      },
    ]),
  )
  await sql`
    insert into payload_dictionaries (subject, month, position, path)
    select decode(subject, 'hex'), month, position, path::bytea[]
    from json_to_recordset(${JSON.stringify([...last.values()])}::json)
      as sent(subject text, month date, position smallint, path text)
    order by subject
    on conflict (subject) do update set month = excluded.month, position = excluded.position, path = excluded.path`.execute(
    db,
  )
}
