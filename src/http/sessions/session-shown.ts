import type { FastifyRequest } from 'fastify'
import type { ProviderSignIn } from '../../api/provider-sign-in.ts'
import type { Sessions } from '../../api/sessions.ts'
import { addressOf } from '../forwarded.ts'
import { cookieOf } from './cookies.ts'

/** The dependencies of requests of signed-in people. */
export interface SessionDoors {
  sessions: Sessions
  /** The OpenID provider that people sign in at; undefined when none is configured. */
  provider: ProviderSignIn | undefined
  /** Base address of the service, without a trailing slash; each request's own address when undefined. */
  publicUrl: string | undefined
}

/** The session in the form of `GET /session`. */
export type SessionShown = SignedIn | { signedIn: false; provider: { name: string } | null }

interface SignedIn {
  signedIn: true
  sessionId: string
  account: string
  credential: { kind: 'key' | 'token'; name: string }
  scopes: readonly string[]
  bringsEvidence: boolean
  administers: boolean
  createdAt: string
  expiresAt: string
  provider: { name: string } | null
}

/** The session of a request, for `GET /session` and for pages that are sent with it. */
export async function sessionShown(request: FastifyRequest, doors: SessionDoors): Promise<SessionShown> {
  return shownWith(cookieOf(request, 'rivalscope_session', doors.publicUrl), request, doors)
}

/** The session with a secret. @param secret undefined where nobody is signed in */
export async function shownWith(
  secret: string | undefined,
  request: FastifyRequest,
  doors: SessionDoors,
): Promise<SessionShown> {
  const provider = doors.provider ? { name: doors.provider.name } : null
  const session = secret && (await doors.sessions.find(secret, addressOf(request)))
  if (!session) return { signedIn: false, provider }
  const { sessionId, account, keyId, name, scopes, bringsEvidence, administers, createdAt, expiresAt } = session
  return {
    signedIn: true,
    sessionId,
    account,
    credential: { kind: keyId === null ? 'token' : 'key', name },
    scopes,
    bringsEvidence,
    administers,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    provider,
  }
}
