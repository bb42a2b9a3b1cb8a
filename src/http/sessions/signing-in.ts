import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionOwner, SignInPlace } from '../../api/sessions.ts'
import { addressOf } from '../forwarded.ts'
import { browserIn } from './browser-words.ts'
import { cookieOf, setCookie } from './cookies.ts'
import type { SessionDoors } from './session-shown.ts'

/** The longest a session lasts: its end is decided by the service, not by the browser. */
const cookieSeconds = 14 * 24 * 60 * 60

/** Signs a browser in, and ends its previous session. @returns the secret of the session, which the cookie holds */
export async function signIn(
  owner: SessionOwner,
  request: FastifyRequest,
  reply: FastifyReply,
  { sessions, publicUrl }: SessionDoors,
): Promise<string> {
  const before = cookieOf(request, 'rivalscope_session', publicUrl)
  const secret = await sessions.begin(owner, placeOf(request), before)
  setCookie(request, reply, publicUrl, { name: 'rivalscope_session', value: secret, seconds: cookieSeconds })
  return secret
}

/** The browser and address of a sign-in, for people to recognise. */
export const placeOf = (request: FastifyRequest): SignInPlace => ({
  browser: browserIn(request.headers['user-agent']),
  address: addressOf(request) || null,
})

/** A path of the web pages for the browser: behind a proxy, they may have a path prefix. */
export function pagePath(publicUrl: string | undefined, path: `/${string}`): string {
  const home = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  return `${home}${path}`
}

/** The path of the sign-in page, with a code for the failure. */
export const signInPage = (
  publicUrl: string | undefined,
  problem: 'link-used' | 'provider-refused' | 'provider-failed' | 'expired',
): string => pagePath(publicUrl, `/sign-in?problem=${problem}`)
