import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, type InteractionResults } from 'oidc-provider'

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
}

/** A real OpenID provider on loopback, whose people answer at once. */
export async function openProvider(audience: string, redirectUris: string[] = []): Promise<OpenIdProvider> {
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
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
  let provider: Provider | undefined
  server.on('request', async (request, response) => {
    provider ??= new Provider(issuer, configurationOf(state, audience))
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    const { params, prompt, session } = await provider.interactionDetails(request, response)
    const result = await resultOf(provider, params, prompt.name, session?.accountId)
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  })
  return state

  async function resultOf(
    provider: Provider,
    { client_id, scope }: Record<string, unknown>,
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
    if (granted) grant.addResourceScope(audience, granted.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(audience, refused.join(' '))
    return { consent: { grantId: await grant.save() } }
  }
}

function configurationOf(state: OpenIdProvider, audience: string): Configuration {
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
      resourceIndicators: {
        enabled: true,
        defaultResource: () => (state.granted ? audience : []),
        useGrantedResource: () => state.granted !== undefined,
        getResourceServerInfo: () => ({
          audience,
          scope: operationScopes.join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: state.lasts,
        }),
      },
    },
  }
}
