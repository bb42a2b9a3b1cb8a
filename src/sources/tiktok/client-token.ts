import { z } from 'zod'
import { parseDocument } from '../../ingest/json.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import type { PoliteSource } from '../polite/polite-source.ts'

/** Renewed this long before it expires, so that none expires in flight. */
const earlyMs = 300_000

/** The access token for a client key and secret. One for each process, in memory only. */
export interface ClientToken {
  get(signal: AbortSignal): Promise<string>
  /** Drops a rejected token, unless it was already replaced. */
  clear(token: string): void
  /** The current token, if there is one. */
  current(): string | undefined
}

/** Source: TikTok for Developers, client access token management. */
export function clientToken(
  source: PoliteSource,
  { clientKey, clientSecret }: { clientKey: string; clientSecret: string },
): ClientToken {
  let held: { token: string; until: number } | undefined
  return {
    async get(signal) {
      if (held && held.until > Date.now()) return held.token
      const { value } = await source.get({
        path: '/v2/oauth/token/',
        country: null,
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_key: clientKey,
          client_secret: clientSecret,
          grant_type: 'client_credentials',
        }).toString(),
        read: readToken,
        signal,
      })
      const livesMs = value.expires_in * 1000
      held = { token: value.access_token, until: Date.now() + Math.max(livesMs - earlyMs, livesMs / 2) }
      return held.token
    },
    clear(token) {
      if (held?.token === token) held = undefined
    },
    current: () => held?.token,
  }
}

const Token = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.number().positive(),
})

function readToken(bytes: Uint8Array): z.output<typeof Token> {
  const parsed = Token.safeParse(parseDocument(bytes))
  if (!parsed.success) throw new UnfitPayload('answers no token')
  return parsed.data
}
