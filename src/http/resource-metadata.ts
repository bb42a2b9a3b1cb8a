import type { FastifyInstance, FastifyRequest } from 'fastify'
import { scopes } from '../contract/scopes.ts'
import { homeOf } from './forwarded.ts'
import { refuseOtherMethods } from './operations.ts'

/** Metadata for clients about credentials. */
export interface ProtectedResource {
  /** Base address of the service; the address of each request when undefined. */
  publicUrl: string | undefined
  /** Issuer of tokens that are accepted besides API keys. */
  issuer: string | undefined
}

const wellKnown = '/.well-known/oauth-protected-resource'
const scopesSupported = Object.keys(scopes)

/** The documents of RFC 9728, for the whole service and for `/mcp`. Nothing in them is secret. */
export function resourceMetadata(app: FastifyInstance, resource: ProtectedResource): void {
  for (const path of ['', '/mcp']) {
    const url = `${wellKnown}${path}`
    app.get(url, async (request) => ({
      resource: `${homeOf(request, resource.publicUrl)}${path}`,
      ...(resource.issuer ? { authorization_servers: [resource.issuer] } : {}),
      scopes_supported: scopesSupported,
      bearer_methods_supported: ['header'],
      resource_name: 'Rivalscope',
    }))
    refuseOtherMethods(app, url, ['GET'])
  }
  if (!resource.issuer) refuseRegistration(app)
}

/**
 * Refuses to register a client, in the form of RFC 7591. MCP clients that get 401 and find no issuer try to register here, and
 * show people this refusal in place of the 401; after a 404 some try other transports, and then show the failure of those.
 */
function refuseRegistration(app: FastifyInstance): void {
  const url = '/register'
  app.post(url, {
    onRequest: async (_request, reply) => reply.status(403).send(noRegistration),
    handler: () => undefined,
  })
  refuseOtherMethods(app, url, ['POST'])
}

const noRegistration = {
  error: 'access_denied',
  error_description:
    'The key is missing, unknown, expired or revoked. Send "Authorization: Bearer <key>" with every request; an operator makes keys with `rivalscope keys create`. Clients are not registered here.',
}

/** The `WWW-Authenticate` of RFC 9728 for a request to `/mcp`: where to find out how to get a credential. */
export function challengeOf(request: FastifyRequest, resource: ProtectedResource): string {
  const failed = request.headers.authorization === undefined ? '' : 'error="invalid_token", '
  const metadata = `${homeOf(request, resource.publicUrl)}${wellKnown}/mcp`
  return `Bearer realm="rivalscope", ${failed}scope="${scopesSupported.join(' ')}", resource_metadata="${metadata}"`
}
