import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, refuseInput } from '../../api/problem.ts'
import { type ProviderSignIn, SignInFailed, signInMinutes } from '../../api/provider-sign-in.ts'
import { baseAddressOf, clientAddressOf } from '../forwarded.ts'
import { refuseOtherMethods } from '../operations.ts'
import { parseQuery } from '../text-input.ts'
import {
  clearCookie,
  cookieOf,
  pagePath,
  type SessionDoors,
  setCookie,
  signIn,
  signInPage,
} from './session-shown.ts'

const callback = '/session/provider/callback'

/** Signing in at the OpenID provider: the redirect to it, and the return. Failures end on the sign-in page, with an explanation. */
export function providerRoutes(app: FastifyInstance, doors: SessionDoors): void {
  app.get('/session/provider', (request, reply) => toProvider(request, reply, doors))
  app.get(callback, (request, reply) => finishSignIn(request, reply, doors))
  for (const url of ['/session/provider', callback]) refuseOtherMethods(app, url, ['GET'])
}

async function toProvider(
  request: FastifyRequest,
  reply: FastifyReply,
  doors: SessionDoors,
): Promise<FastifyReply> {
  const { publicUrl } = doors
  const provider = providerOf(doors)
  // A page of another site must not sign anybody in, nor replace a session: the person has to press the button of our own page.
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return reply.redirect(pagePath(publicUrl, '/'), 303)
  const { returnTo = pagePath(publicUrl, '/') } = parseQuery(request.url)
  if (!isOwnPath(returnTo))
    refuseInput([{ pointer: '/query/returnTo', message: 'must be a path of this service, such as /charts' }])
  try {
    const redirectUri = `${baseAddressOf(request, publicUrl)}${callback}`
    const { address, sealed } = await provider.start(redirectUri, returnTo)
    setCookie(request, reply, doors, {
      name: 'rivalscope_sign_in',
      value: sealed,
      seconds: signInMinutes * 60,
    })
    return reply.redirect(address.href, 303)
  } catch (error) {
    return sorry(error, request, reply, publicUrl)
  }
}

async function finishSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  doors: SessionDoors,
): Promise<FastifyReply> {
  const {
    publicUrl,
    sessions: { failures },
  } = doors
  const provider = providerOf(doors)
  const address = clientAddressOf(request)
  failures.refuse(address)
  const state = await provider.opened(cookieOf(request, 'rivalscope_sign_in', doors) ?? '')
  clearCookie(request, reply, doors, 'rivalscope_sign_in')
  const { state: given } = parseQuery(request.url)
  // The state differs when another tab, or somebody else, has begun a sign-in.
  if (!state || given !== state.state) {
    failures.note(address)
    return reply.redirect(signInPage(publicUrl, 'expired'), 303)
  }
  try {
    const search = request.url.slice(callback.length)
    const owner = await provider.finish(
      new URL(`${baseAddressOf(request, publicUrl)}${callback}${search}`),
      state,
    )
    await signIn(owner, request, reply, doors)
    return reply.redirect(state.returnTo, 303)
  } catch (error) {
    // Only refusals by the provider count as failed attempts, not failures of the provider.
    if (error instanceof SignInFailed && error.trouble === 'provider-refused') failures.note(address)
    return sorry(error, request, reply, publicUrl)
  }
}

function providerOf({ provider }: SessionDoors): ProviderSignIn {
  if (provider) return provider
  throw new Problem('route-not-found', 'No OpenID provider is configured to sign in at.')
}

/** Redirects to the sign-in page with the reason. @throws any error that is not a failed sign-in */
function sorry(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
): FastifyReply {
  if (!(error instanceof SignInFailed)) throw error
  request.log.warn({ reason: error.message, err: error.cause }, 'nobody was signed in')
  return reply.redirect(signInPage(publicUrl, error.trouble), 303)
}

/**
 * Whether a browser would stay on this service. Browsers read `//host` and `/\host` as another host, and drop tabs and line
 * breaks before parsing.
 */
function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,2000}$/.test(path)
}
