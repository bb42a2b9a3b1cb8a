import { hash } from 'node:crypto'
import { payloadHash } from '../domain/evidence/payload.ts'
import type { ParsedInput } from './parsed-input.ts'

/**
 * What makes a reading the same as one stored before: the bytes, how they are read, and when they were observed. The
 * modification time of a file, or the moment it was imported, says too little to tell two readings apart; the moment an
 * upstream was asked tells everything.
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

/** Letters of a hash that decide between readings. */
const keyLetters = 16

/**
 * `Reading.key`. The identity of inline records has the import run in it, which is made when they arrive and says nothing of
 * them; who brought them is shown beside them, and decides where two bring the same.
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
