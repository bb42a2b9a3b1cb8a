import { parseJson } from '../../ingest/json.ts'

/** The `error` of a JSON answer; undefined where there is none. Never throws. */
export function errorIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  const error = objectIn(bytes)?.error
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : undefined
}

/** A name or number from an answer, at most 60 characters; undefined for anything else. Never throws. */
export const nameIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 60) : undefined

/** The object in a JSON answer; undefined when it is anything else. Never throws. */
export function objectIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const document = parseJson(Buffer.from(bytes).toString('utf8').trim())
    return typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
