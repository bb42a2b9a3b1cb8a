import { hash } from 'node:crypto'
import { payloadHash } from '../domain/evidence/payload.ts'
import type { ParsedInput } from './parsed-input.ts'

/**
 * The identity of a reading, by which duplicates are found: the bytes, the context of their parser, and when they were
 * observed. The modification time of a file, or of the import, does not count; the time of a request to an upstream does.
 */
export function readingIdentity(payload: ParsedInput): string {
  const timed =
    payload.origin === 'collected' || (payload.timeBasis !== 'file-modified' && payload.timeBasis !== 'clock')
  return hash(
    'sha256',
    JSON.stringify([
      payloadHash(payload.bytes),
      payload.format,
      payload.context,
      payload.country,
      timed ? payload.observedAt.toISOString() : null,
    ]),
  )
}

/** Characters of the hash that order readings. */
const keyLetters = 16

/**
 * `Reading.key`. The identity of inline records includes the import run, which says nothing about their content; instead, the
 * account that brought them orders equal records.
 */
export function keyOf({ bytes, format, context, broughtBy }: ParsedInput, identity: string): string {
  if (!broughtBy) return identity.slice(0, keyLetters)
  const { run: _, ...reported } = context
  const { accountId, door } = broughtBy
  return [
    [payloadHash(bytes), format, reported],
    [accountId, door],
  ]
    .map((part) => hash('sha256', JSON.stringify(part)).slice(0, keyLetters))
    .join('')
}
