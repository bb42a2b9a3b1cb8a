import { hash } from 'node:crypto'
import { compressPayload, type Dictionary, type Payload } from '../domain/evidence/packed-payload.ts'
import { type PayloadChain, payloadChains } from '../domain/evidence/payload-queries.ts'
import type { Database } from '../storage/database.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { chartName } from '../vocabulary/chart-identity.ts'

/** Shorter payloads gain less than the statements cost that look for a dictionary. */
const smallestBytes = 2_048
/** After so many payloads of a subject and month one is packed alone. */
const longest = 32

/** A payload, packed; with its subject where later ones are compressed with it. */
export interface PackedInput {
  kept: Payload
  chain?: (PayloadChain & { subject: string }) | undefined
}

/**
 * Packs payloads, each with an earlier one of its subject and month, or before it among these: a page of today is mostly that
 * of yesterday. The payload at position n is packed with that at n without its lowest bit, so that half of them are packed with the one
 * just before, and none depends on more than five others (decision 123).
 * @param hashOf the SHA-256 of a payload's bytes, in hex
 */
export async function packPayloads(
  db: Database,
  payloads: readonly ParsedInput[],
  hashOf: (payload: ParsedInput) => string,
  month: string,
): Promise<PackedInput[]> {
  const subjects = payloads.map(subjectOf)
  const known = new Set(subjects.filter((one) => one !== undefined))
  const chains = await payloadChains(db, month, [...known])
  return Promise.all(
    payloads.map(async (payload, at) => {
      const [subject, hash] = [subjects[at], hashOf(payload)]
      if (subject === undefined) return { kept: await compressPayload(payload.bytes, hash) }
      const before = chains.get(subject)
      if (before?.path.some((one) => one.hash === hash))
        return { kept: await compressPayload(payload.bytes, hash) }
      const position = before ? (before.position + 1) % longest : 0
      const kept = before?.path.slice(0, onesOf(position)) ?? []
      const chain = { subject, position, path: [...kept, { hash, month, raw: payload.bytes }] }
      chains.set(subject, chain)
      return { kept: await compressPayload(payload.bytes, hash, kept.at(-1)), chain }
    }),
  )
}

/** The chain with one payload more, and what to compress it with; undefined for alone. */
export function nextOf(
  before: PayloadChain | undefined,
  payload: Dictionary,
): PayloadChain & { dictionary: Dictionary | undefined } {
  const position = before ? (before.position + 1) % longest : 0
  const kept = before?.path.slice(0, onesOf(position)) ?? []
  return { dictionary: kept.at(-1), position, path: [...kept, payload] }
}

/** How many bits of a number are 1: as many payloads does the one at this position depend on. */
const onesOf = (position: number) => position.toString(2).replaceAll('0', '').length

/**
 * What a payload is about, as a hash: a chart, the results of a term, an app or its page, or the apps a lookup asked for, in a
 * storefront; undefined where later payloads will be about something else, and for small ones. Ads and what accounts
 * imported are kept when others of their month go, and depend on none.
 */
export function subjectOf({
  bytes,
  format,
  context,
  country,
  parsed,
  broughtBy,
}: Pick<ParsedInput, 'bytes' | 'format' | 'context' | 'country' | 'parsed' | 'broughtBy'>): string | undefined {
  if (broughtBy || parsed.ads || parsed.isUnfit || bytes.byteLength < smallestBytes) return undefined
  const [chart] = [...parsed.charts, ...(parsed.listRanks ?? [])]
  const term = parsed.resultPage?.term ?? context.term
  const ids =
    context.storeIds ?? (parsed.sightings.length === 1 ? [parsed.sightings[0]?.sighting.storeId] : undefined)
  const about = chart ? chartName(chart) : (term ?? context.storeId ?? ids)
  if (about === undefined) return undefined
  return hash('sha256', JSON.stringify([format, country, context.language, about]))
}
