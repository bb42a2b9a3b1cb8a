import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, refuseInput } from '../../api/problem.ts'
import type { Session } from '../../api/sessions.ts'
import { withStore } from '../../api/unavailable.ts'
import { refuseAllButOwnPages } from '../browser-check.ts'
import { addressOf } from '../forwarded.ts'
import { type OperationDoors, refuseOtherMethods } from '../operations.ts'
import { clearCookie, cookieOf } from './cookies.ts'
import { linkRoutes } from './link-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import { type SessionDoors, sessionShown, shownWith } from './session-shown.ts'
import { placeOf, signIn } from './signing-in.ts'

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
  const address = addressOf(request)
  sessions.failures.refuse(address)
  const owner = await sessions.ownerOfKey(
    keyIn(request.body, () => sessions.failures.note(address)),
    address,
  )
  if (doors.rateLimit) await withStore(async () => doors.rateLimit?.take(`key:${owner.keyId}`))
  return shownWith(await signIn(owner, request, reply, doors), request, doors)
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

async function signOut(request: FastifyRequest, reply: FastifyReply, { sessions, publicUrl }: SessionDoors) {
  const secret = cookieOf(request, 'rivalscope_session', publicUrl)
  if (secret !== undefined) await sessions.end(secret, placeOf(request))
  clearCookie(request, reply, publicUrl, 'rivalscope_session')
  return reply.status(204).send()
}

/** @throws Problem `unauthenticated` */
function sessionOf(request: FastifyRequest, { sessions, publicUrl }: SessionDoors): Promise<Session> {
  return sessions.get(cookieOf(request, 'rivalscope_session', publicUrl) ?? '', addressOf(request))
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
  if (!uuid.test(sessionId) || !(await doors.sessions.endOfOwner(own, sessionId, placeOf(request))))
    throw new Problem('route-not-found', 'You have no such session. It may have ended.')
  if (sessionId.toLowerCase() === own.sessionId)
    clearCookie(request, reply, doors.publicUrl, 'rivalscope_session')
  return reply.status(204).send()
}
