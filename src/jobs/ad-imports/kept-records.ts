import { pack, unpack } from '../../domain/evidence/payload.ts'
import { scrubTokens } from '../../readings/ad-records/scrub-tokens.ts'

/** Inline records as they wait for their import: compressed, and without the tokens that libraries put into addresses. */
export async function keptRecords(records: readonly unknown[]): Promise<Uint8Array> {
  return (await pack(scrubTokens(Buffer.from(JSON.stringify(records))))).content
}

export async function recordsKept(kept: Uint8Array): Promise<unknown[]> {
  return JSON.parse(Buffer.from(await unpack(kept)).toString('utf8')) as unknown[]
}
