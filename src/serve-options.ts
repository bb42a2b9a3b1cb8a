import { isIP } from 'node:net'
import { z } from 'zod'
import type { ServiceConfig } from './app.ts'
import { type FieldHelp, given, type Input, wholeNumber } from './operator/field-help.ts'
import { Text } from './operator/fields.ts'
import {
  config,
  expectAddress,
  location,
  locationOf,
  mediaDirectoryOf,
  UsageError,
} from './operator/location.ts'

/** A field whose variable is called as its option. */
const text = (value: FieldHelp['value'], env: `RIVALSCOPE_${string}`, about: string) =>
  given(value, about, Text.exactOptional(), { env })

/** Separate arguments, or commas between; blanks and empty ones do not count. */
const several = (
  value: FieldHelp['value'],
  env: `RIVALSCOPE_${string}`,
  about: string,
  one: z.ZodType<string> = Text.trim(),
) => given(value, about, z.array(one).default([]), { env })

/** An http(s) address without query, and without a slash at its end. */
const HomeAddress = z
  .string()
  .refine(
    (text) => {
      const url = URL.parse(text)
      return url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
    },
    { error: 'must be an http or https address, such as https://rivalscope.example.com' },
  )
  .transform((text) => new URL(text).href.replace(/\/+$/, ''))

const TrustedProxy = z
  .string()
  .trim()
  .refine((text) => text === '' || whyNoProxy(text) === undefined, {
    error: ({ input }) => whyNoProxy(String(input)),
  })

export const host = given(
  '<address>',
  'address to listen on; loopback unless told otherwise',
  Text.default('127.0.0.1'),
  {
    env: 'RIVALSCOPE_HOST',
  },
)
export const port = given(
  '<number>',
  'port to listen on; 0 takes a free one',
  wholeNumber(0, 65_535).default(8787),
  {
    env: 'RIVALSCOPE_PORT',
  },
)
export const logLevel = (usual: 'info' | 'warn') =>
  given(
    '<level>',
    'how much is logged on standard error',
    z.enum(['silent', 'error', 'warn', 'info', 'debug']).default(usual),
    { env: 'RIVALSCOPE_LOG_LEVEL' },
  )

/** The options of `serve`: store, address, work, replicas, limits and logs. */
export const serveOptions = {
  ...location,
  config,
  host,
  port,
  work: given(
    '<on|off>',
    'work on jobs as well; off leaves them to other processes',
    z.enum(['on', 'off']).default('on'),
    { env: 'RIVALSCOPE_WORK' },
  ),
  replicaUrl: several(
    '<url...>',
    'RIVALSCOPE_REPLICA_URL',
    'streaming replicas of --database-url that answer reads; they may be behind or away at any time',
  ),
  rateLimit: given(
    '<requests>',
    'requests a minute for each credential; 0 for no limit',
    wholeNumber(0, 10_000_000).default(600),
    { env: 'RIVALSCOPE_RATE_LIMIT' },
  ),
  corsOrigin: several('<origin...>', 'RIVALSCOPE_CORS_ORIGIN', 'origins that browsers may call from'),
  trustProxy: several(
    '<address...>',
    'RIVALSCOPE_TRUST_PROXY',
    'proxies whose X-Forwarded-* are believed: addresses, ranges such as 10.0.0.0/8, loopback, linklocal, uniquelocal; nobody when left out',
    TrustedProxy,
  ),
  publicUrl: given(
    '<url>',
    'address that clients reach the service by, when it is not the one it listens on',
    HomeAddress.exactOptional(),
    { env: 'RIVALSCOPE_PUBLIC_URL' },
  ),
  metricsPort: given(
    '<number>',
    'port of its own for /metrics, which then answers nowhere else; 0 takes a free one',
    wholeNumber(0, 65_535).exactOptional(),
    { env: 'RIVALSCOPE_METRICS_PORT' },
  ),
  metricsHost: text(
    '<address>',
    'RIVALSCOPE_METRICS_HOST',
    'address of --metrics-port; 127.0.0.1 when left out',
  ),
  metricsKey: text(
    '<key>',
    'RIVALSCOPE_METRICS_KEY',
    'what readers of /metrics have to send as Bearer; better in the variable, since command lines are seen by everybody',
  ),
  jwtIssuer: text('<url>', 'RIVALSCOPE_JWT_ISSUER', 'issuer of tokens to accept beside API keys'),
  jwtAudience: several(
    '<name...>',
    'RIVALSCOPE_JWT_AUDIENCE',
    'audiences of which those tokens must name one; the address of /mcp for connectors',
  ),
  jwtJwksUrl: text(
    '<url>',
    'RIVALSCOPE_JWT_JWKS_URL',
    "where the issuer's keys are; found by discovery when left out",
  ),
  jwtAccountClaim: given('<name>', 'claim that names the account', Text.default('sub'), {
    env: 'RIVALSCOPE_JWT_ACCOUNT_CLAIM',
  }),
  jwtEvidenceClaim: text(
    '<name>',
    'RIVALSCOPE_JWT_EVIDENCE_CLAIM',
    'claim that is true where a token may bring ad records and links of its own; all may when left out',
  ),
  jwtAdminClaim: text(
    '<name>',
    'RIVALSCOPE_JWT_ADMIN_CLAIM',
    'claim that is true where a token administers the keys of its account; none does when left out',
  ),
  oidcClientId: text(
    '<id>',
    'RIVALSCOPE_OIDC_CLIENT_ID',
    'this service as registered with the issuer, so that people sign in to the web pages there; its secret, if it has one, in RIVALSCOPE_OIDC_CLIENT_SECRET',
  ),
  oidcScopes: given('<list>', 'scopes to ask the issuer for, separated by spaces', Text.default('openid'), {
    env: 'RIVALSCOPE_OIDC_SCOPES',
  }),
  logLevel: logLevel('info'),
}

/** The service's configuration from the given options. @throws UsageError, ConfigurationError */
export async function serviceConfigOf(
  options: Input<typeof serveOptions>,
  env: NodeJS.ProcessEnv,
): Promise<ServiceConfig> {
  const { host, port, rateLimit, logLevel, publicUrl, metricsPort, metricsHost, metricsKey } = options
  const { jwtIssuer, jwtJwksUrl, jwtEvidenceClaim, jwtAdminClaim } = options
  const jwtAudience = options.jwtAudience.filter(Boolean)
  const { oidcClientId, oidcScopes } = options
  if ((jwtIssuer === undefined) !== (jwtAudience.length === 0))
    throw new UsageError('--jwt-issuer and --jwt-audience go together')
  if (oidcClientId !== undefined && jwtIssuer === undefined)
    throw new UsageError('--oidc-client-id goes with --jwt-issuer and --jwt-audience')
  if (oidcClientId !== undefined && jwtIssuer !== undefined && !isGuarded(jwtIssuer))
    throw new UsageError('--oidc-client-id needs a --jwt-issuer that is asked over https')
  if (oidcClientId !== undefined && !oidcScopes.split(' ').includes('openid'))
    throw new UsageError('--oidc-scopes must name openid')
  const clientSecret = env.RIVALSCOPE_OIDC_CLIENT_SECRET?.trim()
  if (metricsHost !== undefined && metricsPort === undefined)
    throw new UsageError('--metrics-host goes with --metrics-port')
  // Refused here, since the option parser repeats what it refuses.
  if (metricsKey !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(metricsKey))
    throw new UsageError('--metrics-key must be 1 to 1,000 visible ASCII characters')
  const { readConfiguration } = await import('./configuration.ts')
  return {
    location: locationOf(options),
    replicaUrls: replicasOf(options),
    host,
    port,
    rateLimit,
    logLevel,
    corsOrigins: options.corsOrigin.filter(Boolean),
    trustedProxies: options.trustProxy.filter(Boolean),
    publicUrl,
    metrics: {
      key: metricsKey,
      at: metricsPort === undefined ? undefined : { host: metricsHost ?? '127.0.0.1', port: metricsPort },
    },
    works: options.work === 'on',
    configuration: await readConfiguration(options.config, env),
    mediaDirectory: mediaDirectoryOf(options),
    tokenIssuer: jwtIssuer
      ? {
          issuer: jwtIssuer,
          audience: jwtAudience,
          accountClaim: options.jwtAccountClaim,
          ...(jwtJwksUrl ? { jwksUrl: jwtJwksUrl } : {}),
          ...(jwtEvidenceClaim ? { evidenceClaim: jwtEvidenceClaim } : {}),
          ...(jwtAdminClaim ? { adminClaim: jwtAdminClaim } : {}),
        }
      : undefined,
    ...(oidcClientId
      ? {
          signInClient: {
            id: oidcClientId,
            scopes: oidcScopes,
            ...(clientSecret ? { secret: clientSecret } : {}),
          },
        }
      : {}),
  }
}

/** @throws UsageError */
function replicasOf({ replicaUrl, databaseUrl }: Input<typeof serveOptions>): string[] {
  const urls = replicaUrl.filter(Boolean)
  if (urls.length > 0 && !databaseUrl)
    throw new UsageError('--replica-url goes with --database-url: the embedded store has no replicas')
  for (const url of urls) expectAddress('--replica-url', url)
  return urls
}

/** Whether session cookies are never sent unencrypted: the address is https or loopback. */
function isGuarded(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {}
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? ''))
  )
}

/** Names of address ranges that the HTTP framework knows. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Minimum prefix length by IP version: that of `uniquelocal`, the widest named range. */
const widest = { 4: 8, 6: 7 }

/** Why a text is no list of trusted proxies; undefined when it is one. */
function whyNoProxy(text: string): string | undefined {
  if (namedRanges.includes(text)) return undefined
  if (/^(true|yes|on|all|\*)$/i.test(text))
    return 'trusting everybody lets every caller say who they are: name the addresses of your proxies'
  // Parsers of legacy formats take "1" for an address.
  if (/^\d+$/.test(text))
    return 'a number of proxies does not say who they are, and callers could pass for one: name their addresses'
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address) as 0 | 4 | 6
  if (version === 0 || isMapped(address))
    return `"${text}" is no address, no range such as 10.0.0.0/8 or fd00::/8, and none of ${namedRanges.join(', ')}`
  if (bits === undefined) return undefined
  const most = version === 4 ? 32 : 128
  if (Number(bits) > most) return `"${text}" is no range: IPv${version} has ${most} bits`
  if (Number(bits) < widest[version])
    return `"${text}" is more of the internet than proxies of yours can be: a range has at least /${widest[version]}`
  return undefined
}

/** An IPv4 address in IPv6 notation, where a prefix length means another range than it seems. */
const isMapped = (address: string) =>
  isIP(address) === 6 && URL.parse(`http://[${address}]`)?.hostname.startsWith('[::ffff:') === true
