import { pack, unpack } from '../../domain/evidence/reading.ts'
import { scrubTokens } from '../../ingest/ads/scrub-tokens.ts'

/** Compresses inline records until they are imported. */
export async function packRecords(records: readonly unknown[]): Promise<Uint8Array> {
  return (await pack(Buffer.from(JSON.stringify(records)))).content
}

/** Records without the tokens that libraries put into addresses: an error message can quote the value of a record. */
export function withoutTokens<Value>(records: readonly Value[]): Value[] {
  const written = Buffer.from(JSON.stringify(records))
  const clean = scrubTokens(written)
  return clean === written ? [...records] : (JSON.parse(clean.toString('utf8')) as Value[])
}

export async function unpackRecords(kept: Uint8Array): Promise<unknown[]> {
  return JSON.parse(Buffer.from(await unpack(kept)).toString('utf8')) as unknown[]
}
