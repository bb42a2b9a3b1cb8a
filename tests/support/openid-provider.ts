import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, errors, type InteractionResults } from 'oidc-provider'

export const clientId = 'rivalscope'
export const clientSecret = 'a-secret-of-the-tests'

const operationScopes = ['context:read', 'content:write']

export interface OpenIdProvider extends AsyncDisposable {
  issuer: string
  /** Where people return to; counts until the first request. */
  redirectUris: string[]
  /** What the next person answers the provider: who they are, or nothing where they refuse. */
  person: string | undefined
  /** Scopes of operations that access tokens for the service carry; without any, access tokens are for nobody to read. */
  granted: readonly string[] | undefined
  /** Claims of id tokens besides the subject and the name. */
  claims: Record<string, unknown>
  /** Seconds that tokens last. */
  lasts: number
  /** Names of clients that registered themselves. */
  registered: string[]
}

/**
 * What the person does at the provider, from the address that their browser is sent to.
 * @param home where they come back to: the beginning of an address
 * @returns the address at which they come back
 */
export async function atProvider(address: string, home: string): Promise<string> {
  const jar = new Map<string, string>()
  let next = address
  for (let hops = 0; !next.startsWith(home); hops++) {
    assert.ok(hops < 10, `the provider sends people round in a circle: ${next}`)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = reply.headers.get('location')
    assert.ok(location, `${next} answered ${reply.status}: ${await reply.text()}`)
    next = new URL(location, next).href
  }
  return next
}

/**
 * A real OpenID provider on loopback, whose people answer at once, and at which clients register themselves.
 * @param audience what access tokens are for where no resource is asked for, and others that may be asked for
 */
export async function openProvider(
  [audience, ...others]: readonly [string, ...string[]],
  redirectUris: string[] = [],
): Promise<OpenIdProvider> {
  const audiences = [audience, ...others]
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: OpenIdProvider = {
    issuer,
    redirectUris,
    person: 'ann',
    granted: ['context:read', 'content:write'],
    claims: {},
    lasts: 3_600,
    registered: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
  let provider: Provider | undefined
  server.on('request', async (request, response) => {
    provider ??= openedProvider()
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    const { params, prompt, session } = await provider.interactionDetails(request, response)
    const result = await resultOf(provider, params, prompt.name, session?.accountId)
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  })
  return state

  function openedProvider(): Provider {
    const opened = new Provider(issuer, configurationOf(state, audiences))
    opened.on(
      'registration_create.success',
      (_context, { clientName = '' }) => void state.registered.push(clientName),
    )
    return opened
  }

  async function resultOf(
    provider: Provider,
    { client_id, scope, resource = audience }: Record<string, unknown>,
    prompt: string,
    accountId = state.person,
  ): Promise<InteractionResults> {
    const { person, granted } = state
    if (person === undefined || accountId === undefined)
      return { error: 'access_denied', error_description: 'the person refused' }
    if (prompt === 'login') return { login: { accountId: person } }
    const grant = new provider.Grant({ accountId, clientId: String(client_id) })
    grant.addOIDCScope(String(scope))
    const refused = operationScopes.filter((one) => !granted?.includes(one))
    if (granted) grant.addResourceScope(String(resource), granted.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(String(resource), refused.join(' '))
    return { consent: { grantId: await grant.save() } }
  }
}

function configurationOf(state: OpenIdProvider, audiences: readonly string[]): Configuration {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: state.redirectUris,
      },
      { client_id: 'public', token_endpoint_auth_method: 'none', redirect_uris: state.redirectUris },
    ],
    scopes: ['openid', ...operationScopes],
    claims: { openid: ['sub', 'name', 'scp', 'team', 'owner'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['of the tests'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, name: sub === 'ann' ? 'Ann Example' : undefined, ...state.claims }),
    }),
    ttl: {
      AccessToken: () => state.lasts,
      IdToken: () => state.lasts,
      AuthorizationCode: 60,
      Grant: 600,
      Interaction: 600,
      Session: 600,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, _client, asked) => asked ?? (state.granted ? audiences.slice(0, 1) : []),
        useGrantedResource: () => state.granted !== undefined,
        getResourceServerInfo: (_context, audience) => {
          if (!audiences.includes(audience)) throw new errors.InvalidTarget()
          return {
            audience,
            scope: operationScopes.join(' '),
            accessTokenFormat: 'jwt',
            accessTokenTTL: state.lasts,
          }
        },
      },
    },
  }
}
