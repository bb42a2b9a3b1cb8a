import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { Credentials } from '../../src/api/credentials.ts'
import { FailedAttempts } from '../../src/api/failed-attempts.ts'
import { IdempotentRequests } from '../../src/api/idempotency.ts'
import { Sessions } from '../../src/api/sessions.ts'
import { createServer, type ServerOptions } from '../../src/http/server.ts'
import type { World } from './world.ts'

/** A server on the store of a world that limits nothing, logs nothing and has no pages; `parts` close it. */
export async function quietServer(
  { store: { db } }: Pick<World, 'store'>,
  parts: AsyncDisposableStack,
  options: Pick<ServerOptions, 'door'> & Partial<ServerOptions>,
): Promise<FastifyInstance> {
  const server = await createServer({
    credentials: parts.use(new Credentials(db, undefined)),
    sessions: parts.use(new Sessions(db, new FailedAttempts())),
    provider: undefined,
    publicUrl: undefined,
    cookieSuffix: '',
    idempotentRequests: parts.use(new IdempotentRequests(db)),
    rateLimit: undefined,
    logger: pino({ level: 'silent' }),
    corsOrigins: [],
    findContent: async () => undefined,
    unready: async () => undefined,
    ...options,
  })
  parts.defer(() => server.close())
  return server
}
