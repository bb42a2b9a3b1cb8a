import { hash } from 'node:crypto'
import { payloadHash } from '../domain/evidence/packed-payload.ts'
import type { ReadingContext } from '../ingest/parsed-payload.ts'
import type { ParsedInput } from './parsed-input.ts'

/**
 * The identity of a reading, by which duplicates are found: the bytes, the context of their parser, and when they were
 * observed. The modification time of a file, or of the import, does not count; the time of a request to an upstream does.
 * @param bytesHash the hash of its bytes, where it is known
 */
export function readingIdentity(payload: ParsedInput, bytesHash = payloadHash(payload.bytes)): string {
  const timed =
    payload.origin === 'collected' || (payload.timeBasis !== 'file-modified' && payload.timeBasis !== 'clock')
  return hash(
    'sha256',
    JSON.stringify([
      bytesHash,
      payload.format,
      inHashedOrder(payload.context),
      payload.country,
      timed ? payload.observedAt.toISOString() : null,
    ]),
  )
}

/** Number of characters of the hash used to order readings. */
const keyLetters = 16

/**
 * `Reading.key`. The identity of inline records includes the import run, which says nothing about their content; instead,
 * equal records are ordered by the account that provided them.
 */
export function keyOf({ bytes, format, context, broughtBy }: ParsedInput, identity: string): string {
  if (!broughtBy) return identity.slice(0, keyLetters)
  const { run: _, ...reported } = context
  const { accountId, door } = broughtBy
  return [
    [payloadHash(bytes), format, inHashedOrder(reported)],
    [accountId, door],
  ]
    .map((part) => hash('sha256', JSON.stringify(part)).slice(0, keyLetters))
    .join('')
}

/**
 * The position of each part of a context in the hashed text. Identities and keys are stored, so positions are never changed
 * or reused.
 */
const places: Record<keyof ReadingContext, number> = {
  layout: 1,
  country: 2,
  preset: 3,
  continues: 4,
  fields: 5,
  constants: 6,
  document: 7,
  separators: 8,
  dates: 9,
  numbers: 10,
  list: 11,
  fallbacks: 12,
  term: 13,
  requested: 14,
  capturedNotAfter: 15,
  chart: 16,
  storeId: 17,
  adSearch: 18,
  run: 19,
  language: 20,
  storeIds: 30,
  notFound: 31,
}

const inHashedOrder = (context: Partial<ReadingContext>) =>
  Object.fromEntries(
    (Object.keys(context) as (keyof ReadingContext)[])
      .sort((one, other) => places[one] - places[other])
      .map((name) => [name, context[name]]),
  )
