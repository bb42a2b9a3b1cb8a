import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, refuseInput, storeFailuresAsProblems } from '../../api/problem.ts'
import type { Session } from '../../api/sessions.ts'
import { refuseAllButOwnPages, refuseOtherSites } from '../browser-check.ts'
import { clientAddressOf } from '../forwarded.ts'
import { type OperationDoors, refuseOtherMethods } from '../operations.ts'
import { page } from '../reference/page.ts'
import { providerRoutes } from './provider-routes.ts'
import {
  clearCookie,
  cookieOf,
  pagePath,
  type SessionDoors,
  sessionOfSecret,
  sessionShown,
  signIn,
  signInPage,
  signInPlaceOf,
} from './session-shown.ts'

/** Largest body of a sign-in, in bytes: it holds only a key, and the sender is not authenticated yet. */
const largestSignIn = 4 * 1024

/**
 * Signing in to the web pages and out of them, and the list of sessions. Not part of the contract: programs use keys
 * (docs/decisions/0035-sessions-of-the-web-pages.md).
 */
export function sessionRoutes(app: FastifyInstance, doors: OperationDoors): void {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  const ownPages = async (request: FastifyRequest) => refuseAllButOwnPages(request, doors.publicUrl)

  app.get('/session', (request) => sessionShown(request, doors))
  app.post('/session', { onRequest: ownPages, bodyLimit: largestSignIn }, (request, reply) =>
    signInWithKey(request, reply, doors),
  )
  app.delete('/session', { onRequest: ownPages }, (request, reply) => signOut(request, reply, doors))
  refuseOtherMethods(app, '/session', ['GET', 'POST', 'DELETE'])

  app.get('/sessions', { onRequest: ownPages }, async (request) =>
    listed(await sessionOf(request, doors), doors),
  )
  refuseOtherMethods(app, '/sessions', ['GET'])

  app.delete<{ Params: { sessionId: string } }>(
    '/sessions/:sessionId',
    { onRequest: ownPages },
    (request, reply) => endOne(request, reply, doors),
  )
  refuseOtherMethods(app, '/sessions/:sessionId', ['DELETE'])

  linkRoutes(app, doors)
  providerRoutes(app, doors)
}

async function signInWithKey(request: FastifyRequest, reply: FastifyReply, doors: OperationDoors) {
  const { sessions } = doors
  const address = clientAddressOf(request)
  sessions.failures.refuse(address)
  const owner = await sessions.ownerOfKey(
    keyIn(request.body, () => sessions.failures.note(address)),
    address,
  )
  if (doors.rateLimit) await storeFailuresAsProblems(async () => doors.rateLimit?.take(`key:${owner.keyId}`))
  return sessionOfSecret(await signIn(owner, request, reply, doors), request, doors)
}

/** The key in a body, trimmed. @param failed called before a missing key is refused */
function keyIn(body: unknown, failed: () => void): string {
  const { key, ...others } = (body ?? {}) as Record<string, unknown>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined || typeof key !== 'string') failed()
  if (unknown !== undefined) refuseInput([{ pointer: `/body/${unknown}`, message: 'is not known here' }])
  if (typeof key !== 'string') refuseInput([{ pointer: '/body/key', message: 'must be text' }])
  return key.trim()
}

async function signOut(request: FastifyRequest, reply: FastifyReply, doors: SessionDoors) {
  const secret = cookieOf(request, 'rivalscope_session', doors)
  if (secret !== undefined) await doors.sessions.end(secret, signInPlaceOf(request))
  clearCookie(request, reply, doors, 'rivalscope_session')
  return reply.status(204).send()
}

/** @throws Problem `unauthenticated` */
function sessionOf(request: FastifyRequest, doors: SessionDoors): Promise<Session> {
  return doors.sessions.get(cookieOf(request, 'rivalscope_session', doors) ?? '', clientAddressOf(request))
}

async function listed(own: Session, { sessions }: SessionDoors) {
  const items = (await sessions.listOfOwner(own)).map((one) => ({
    sessionId: one.sessionId,
    createdAt: one.createdAt.toISOString(),
    lastUsedAt: one.lastUsedAt.toISOString(),
    expiresAt: one.expiresAt.toISOString(),
    current: one.sessionId === own.sessionId,
    browser: one.browser,
    address: one.address,
  }))
  return { items }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function endOne(
  request: FastifyRequest<{ Params: { sessionId: string } }>,
  reply: FastifyReply,
  doors: SessionDoors,
) {
  const own = await sessionOf(request, doors)
  const { sessionId } = request.params
  if (!uuid.test(sessionId) || !(await doors.sessions.endOfOwner(own, sessionId, signInPlaceOf(request))))
    throw new Problem('route-not-found', 'You have no such session. It may have ended.')
  if (sessionId.toLowerCase() === own.sessionId) clearCookie(request, reply, doors, 'rivalscope_session')
  return reply.status(204).send()
}

/**
 * A page with one button, which uses the link: previews and scanners of chats and mail follow links, but press no buttons.
 * The form posts to the address of the page.
 */
const linkPage = page({
  title: 'Sign in',
  styles: ['reference.css'],
  isAlone: true,
  content: `<main class="text">
<h1>Sign in to Rivalscope</h1>
<p>This link works once, in one browser.</p>
<form method="post"><button type="submit" autofocus>Sign in</button></form>
</main>`,
})

const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

interface OfLink {
  Params: { link: string }
}

/** One-time links that sign in with a key: `GET` shows a page and changes nothing, its `POST` signs in. */
function linkRoutes(app: FastifyInstance, doors: SessionDoors): void {
  const { sessions, publicUrl } = doors
  const url = '/session/link/:link'
  app.get<OfLink>(url, async (request, reply) => {
    if (!(await sessions.isUsable(request.params.link, clientAddressOf(request))))
      return reply.redirect(signInPage(publicUrl, 'link-used'), 303)
    return (
      reply
        .header('content-security-policy', contentPolicy)
        // The address holds the secret. With `no-referrer`, the form would not send its origin either.
        .header('referrer-policy', 'same-origin')
        .type('text/html; charset=utf-8')
        .send(linkPage)
    )
  })
  app.register((forms, _options, done) => {
    // The form has no fields, but a content type.
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      async () => undefined,
    )
    forms.post<OfLink>(
      url,
      { onRequest: async (request) => refuseOtherSites(request, publicUrl) },
      async (request, reply) => {
        const owner = await sessions.ownerOfLink(request.params.link, clientAddressOf(request))
        if (!owner) return reply.redirect(signInPage(publicUrl, 'link-used'), 303)
        await signIn(owner, request, reply, doors)
        return reply.redirect(pagePath(publicUrl, '/'), 303)
      },
    )
    done()
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])
}
