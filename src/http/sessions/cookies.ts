import type { FastifyReply, FastifyRequest } from 'fastify'
import { hostOf, protocolOf } from '../forwarded.ts'

/*
 * Cookies of the web pages: for HTTP only, of this host only, and over https alone where the page was loaded by https. Lax,
 * not strict: a link to a page, in a chat or from the OpenID provider, opens it signed in. Changes are protected otherwise
 * (browser-check.ts).
 */

type CookieName = 'rivalscope_session' | 'rivalscope_sign_in'

/** The value of a cookie in a request; undefined without one. */
export function cookieOf(
  request: FastifyRequest,
  name: CookieName,
  publicUrl: string | undefined,
): string | undefined {
  return request.cookies[nameIn(request, name, publicUrl)]
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
  cookie: { name: CookieName; value: string; seconds: number },
): void {
  const { name, value, seconds } = cookie
  reply.setCookie(nameIn(request, name, publicUrl), value, {
    ...flagsIn(request, publicUrl),
    maxAge: seconds,
  })
}

export function clearCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
  name: CookieName,
): void {
  reply.clearCookie(nameIn(request, name, publicUrl), flagsIn(request, publicUrl))
}

/** Browsers accept a name with this prefix only over https, from this host itself, for all of its paths. */
const nameIn = (request: FastifyRequest, name: CookieName, publicUrl: string | undefined): string =>
  isHttps(request, publicUrl) ? `__Host-${name}` : name

const flagsIn = (request: FastifyRequest, publicUrl: string | undefined) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(request, publicUrl) }) as const

/** According to a trusted proxy, or to the configured public address. */
function isHttps(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const home = publicUrl === undefined ? undefined : new URL(publicUrl)
  return protocolOf(request) === 'https' || (home?.protocol === 'https:' && home.host === hostOf(request))
}
