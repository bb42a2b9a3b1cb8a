import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ProviderSignIn } from '../../api/provider-sign-in.ts'
import type { SessionOwner, Sessions, SignInPlace } from '../../api/sessions.ts'
import { clientAddressOf, hostOf, protocolOf } from '../forwarded.ts'

/** The dependencies of requests of signed-in people. */
export interface SessionDoors {
  sessions: Sessions
  /** The OpenID provider that people sign in at; undefined when none is configured. */
  provider: ProviderSignIn | undefined
  /** Base address of the service, without a trailing slash; each request's own address when undefined. */
  publicUrl: string | undefined
  /** The end of the names of its cookies, one for each store: browsers send a cookie to every port of a host. */
  cookieSuffix: string
  /** Names of the accounts whose admins operate the installation on the pages; none when left out. */
  operators?: readonly string[]
}

type CookiePlace = Pick<SessionDoors, 'publicUrl' | 'cookieSuffix'>

/** The form of `SessionDoors.cookieSuffix`: the same in all processes of a store. @param secret of the store */
export const cookieSuffixOf = (secret: Buffer): string =>
  createHmac('sha256', secret).update('names of cookies').digest('hex').slice(0, 8)

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
  /** Whether it is an admin of an account that operates the installation. */
  operates: boolean
  createdAt: string
  expiresAt: string
  provider: { name: string } | null
}

/** The session of a request, for `GET /session` and for pages that are sent with it. */
export async function sessionShown(request: FastifyRequest, doors: SessionDoors): Promise<SessionShown> {
  return sessionOfSecret(cookieOf(request, 'rivalscope_session', doors), request, doors)
}

/** The session with a secret. @param secret undefined where nobody is signed in */
export async function sessionOfSecret(
  secret: string | undefined,
  request: FastifyRequest,
  doors: SessionDoors,
): Promise<SessionShown> {
  const provider = doors.provider ? { name: doors.provider.name } : null
  const session = secret && (await doors.sessions.find(secret, clientAddressOf(request)))
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
    operates: administers && (doors.operators?.includes(account) ?? false),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    provider,
  }
}

/*
 * Cookies of the web pages: for HTTP only, of this host only, and over https alone where the page was loaded by https. Lax,
 * not strict: a link to a page, in a chat or from the OpenID provider, opens it signed in. Changes are protected otherwise
 * (browser-check.ts).
 */

type CookieName = 'rivalscope_session' | 'rivalscope_sign_in'

/** The value of a cookie in a request; undefined without one. */
export function cookieOf(request: FastifyRequest, name: CookieName, place: CookiePlace): string | undefined {
  return request.cookies[nameIn(request, name, place)]
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  place: CookiePlace,
  cookie: { name: CookieName; value: string; seconds: number },
): void {
  const { name, value, seconds } = cookie
  reply.setCookie(nameIn(request, name, place), value, {
    ...flagsIn(request, place.publicUrl),
    maxAge: seconds,
  })
}

export function clearCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  place: CookiePlace,
  name: CookieName,
): void {
  reply.clearCookie(nameIn(request, name, place), flagsIn(request, place.publicUrl))
}

/** Browsers accept a name with this prefix only over https, from this host itself, for all of its paths. */
const nameIn = (request: FastifyRequest, name: CookieName, { publicUrl, cookieSuffix }: CookiePlace): string =>
  `${isHttps(request, publicUrl) ? '__Host-' : ''}${name}_${cookieSuffix}`

const flagsIn = (request: FastifyRequest, publicUrl: string | undefined) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(request, publicUrl) }) as const

/** According to a trusted proxy, or to the configured public address. */
function isHttps(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const home = publicUrl === undefined ? undefined : new URL(publicUrl)
  return protocolOf(request) === 'https' || (home?.protocol === 'https:' && home.host === hostOf(request))
}

/** The longest a session lasts: its end is decided by the service, not by the browser. */
const cookieSeconds = 14 * 24 * 60 * 60

/** Signs a browser in, and ends its previous session. @returns the secret of the session, which the cookie holds */
export async function signIn(
  owner: SessionOwner,
  request: FastifyRequest,
  reply: FastifyReply,
  doors: SessionDoors,
): Promise<string> {
  const before = cookieOf(request, 'rivalscope_session', doors)
  const secret = await doors.sessions.begin(owner, signInPlaceOf(request), before)
  setCookie(request, reply, doors, { name: 'rivalscope_session', value: secret, seconds: cookieSeconds })
  return secret
}

/** The browser and address of a sign-in, for people to recognise. */
export const signInPlaceOf = (request: FastifyRequest): SignInPlace => ({
  browser: browserIn(request.headers['user-agent']),
  address: clientAddressOf(request) || null,
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

const browsers: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly [name: string, sign: RegExp][] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** A description of a browser, such as `Firefox on Linux`, by which people recognise their own; null for unknown ones. */
function browserIn(userAgent: string | undefined): string | null {
  const named = (list: readonly [string, RegExp][]) => list.find(([, sign]) => sign.test(userAgent ?? ''))?.[0]
  const [browser, system] = [named(browsers), named(systems)]
  if (browser === undefined) return null
  return system === undefined ? browser : `${browser} on ${system}`
}
