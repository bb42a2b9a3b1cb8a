import { join } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { StoreLocation } from '../storage/open-store.ts'
import { mostShards, usualShards } from '../vocabulary/shards.ts'
import { whyNoProxy } from './proxies.ts'

/** MiB below which PostgreSQL does not work well. */
const leastStoreMemory = 32

/** Where the store is. */
export const locationOptions = () => [
  new Option('--data-dir <path>', 'directory of the embedded store')
    .env('RIVALSCOPE_DATA_DIR')
    .default('.rivalscope'),
  new Option('--database-url <url>', 'PostgreSQL to use instead of the embedded store').env(
    'RIVALSCOPE_DATABASE_URL',
  ),
  new Option(
    '--store-memory <MiB>',
    'memory the embedded store takes, as told by the process that starts it; 128 when left out',
  )
    .env('RIVALSCOPE_STORE_MEMORY')
    .argParser(wholeNumber(leastStoreMemory, 1_048_576)),
  new Option(
    '--store-user <name>',
    'user that owns the embedded store and runs it, where it is started by root; rivalscope, postgres or nobody when left out',
  ).env('RIVALSCOPE_STORE_USER'),
  new Option('--media-dir <path>', 'directory of kept media; media/ in the data directory when left out').env(
    'RIVALSCOPE_MEDIA_DIR',
  ),
]

export interface MigrateOptions extends LocationOptions {
  cluster?: boolean
  shards?: number
}

/** Whether the store is distributed over the workers of a cluster. */
export const clusterOptions = () => [
  new Option(
    '--cluster',
    'distribute what grows over the workers of the Citus cluster of --database-url, once, while nothing else has the store open: docs/cluster.md',
  ),
  new Option(
    '--shards <number>',
    `with --cluster: shards of each table, the most workers it can ever use; ${usualShards} when left out`,
  ).argParser(wholeNumber(1, mostShards)),
]

/** How upstreams are asked, and what is collected on a schedule. */
export const configOption = () =>
  new Option(
    '--config <file>',
    'sources, schedule, kept media, retention: docs/collecting.md, docs/kept-media.md, docs/operations.md',
  ).env('RIVALSCOPE_CONFIG')

/** Wrong usage that the option parser cannot detect. */
export class UsageError extends Error {}

export interface LocationOptions {
  dataDir: string
  databaseUrl?: string
  storeMemory?: number
  storeUser?: string
  mediaDir?: string
  config?: string
}

export function locationOf({ dataDir, databaseUrl, storeMemory, storeUser }: LocationOptions): StoreLocation {
  if (databaseUrl) {
    expectAddress('--database-url', databaseUrl)
    return { databaseUrl }
  }
  return {
    dataDir,
    ...(storeMemory === undefined ? {} : { memoryMiB: storeMemory }),
    ...(storeUser === undefined ? {} : { owner: storeUser }),
  }
}

/** @throws UsageError */
export function replicasOf({
  replicaUrl,
  databaseUrl,
}: Pick<ServiceOptions, 'replicaUrl' | 'databaseUrl'>): string[] {
  if (replicaUrl.length > 0 && !databaseUrl)
    throw new UsageError('--replica-url goes with --database-url: the embedded store has no replicas')
  for (const url of replicaUrl) expectAddress('--replica-url', url)
  return replicaUrl
}

/** @throws UsageError that does not repeat the address, which may hold a password */
export function expectAddress(option: string, address: string): void {
  if (!/^postgres(?:ql)?:\/\/./.test(address) || !URL.canParse(address))
    throw new UsageError(`${option} must be an address such as postgres://user@host:5432/database`)
}

/** Where kept media lie unless the configuration says otherwise. */
export function mediaDirectoryOf({ dataDir, mediaDir }: Pick<LocationOptions, 'dataDir' | 'mediaDir'>): string {
  return mediaDir ?? join(dataDir, 'media')
}

/** Where and how the service answers. */
export const serviceOptions = () => [
  new Option('--host <address>', 'address to listen on; loopback unless told otherwise')
    .env('RIVALSCOPE_HOST')
    .default('127.0.0.1'),
  new Option('--port <number>', 'port to listen on; 0 takes a free one')
    .env('RIVALSCOPE_PORT')
    .default(8787)
    .argParser(wholeNumber(0, 65_535)),
  new Option('--work <on|off>', 'work on jobs as well; off leaves them to other processes')
    .env('RIVALSCOPE_WORK')
    .default('on')
    .choices(['on', 'off']),
  new Option(
    '--replica-url <url...>',
    'streaming replicas of --database-url that answer reads; they may be behind or away at any time',
  )
    .env('RIVALSCOPE_REPLICA_URL')
    .default([])
    .argParser(list),
  new Option('--rate-limit <requests>', 'requests a minute for each credential; 0 for no limit')
    .env('RIVALSCOPE_RATE_LIMIT')
    .default(600)
    .argParser(wholeNumber(0, 10_000_000)),
  new Option('--cors-origin <origin...>', 'origins that browsers may call from')
    .env('RIVALSCOPE_CORS_ORIGIN')
    .default([])
    .argParser(list),
  new Option(
    '--trust-proxy <address...>',
    'proxies whose X-Forwarded-* are believed: addresses, ranges such as 10.0.0.0/8, loopback, linklocal, uniquelocal; nobody when left out',
  )
    .env('RIVALSCOPE_TRUST_PROXY')
    .default([])
    .argParser(proxies),
  new Option(
    '--public-url <url>',
    'address that clients reach the service by, when it is not the one it listens on',
  )
    .env('RIVALSCOPE_PUBLIC_URL')
    .argParser(homeAddress),
  new Option(
    '--metrics-port <number>',
    'port of its own for /metrics, which then answers nowhere else; 0 takes a free one',
  )
    .env('RIVALSCOPE_METRICS_PORT')
    .argParser(wholeNumber(0, 65_535)),
  new Option('--metrics-host <address>', 'address of --metrics-port; 127.0.0.1 when left out').env(
    'RIVALSCOPE_METRICS_HOST',
  ),
  new Option(
    '--metrics-key <key>',
    'what readers of /metrics have to send as Bearer; better in the variable, since command lines are seen by everybody',
  ).env('RIVALSCOPE_METRICS_KEY'),
  new Option('--jwt-issuer <url>', 'issuer of tokens to accept beside API keys').env('RIVALSCOPE_JWT_ISSUER'),
  new Option('--jwt-audience <name>', 'audience those tokens must name').env('RIVALSCOPE_JWT_AUDIENCE'),
  new Option('--jwt-jwks-url <url>', "where the issuer's keys are; found by discovery when left out").env(
    'RIVALSCOPE_JWT_JWKS_URL',
  ),
  new Option('--jwt-account-claim <name>', 'claim that names the account')
    .env('RIVALSCOPE_JWT_ACCOUNT_CLAIM')
    .default('sub'),
  new Option(
    '--jwt-evidence-claim <name>',
    'claim that is true where a token may bring ad records and links of its own; all may when left out',
  ).env('RIVALSCOPE_JWT_EVIDENCE_CLAIM'),
  new Option(
    '--jwt-admin-claim <name>',
    'claim that is true where a token administers the keys of its account; none does when left out',
  ).env('RIVALSCOPE_JWT_ADMIN_CLAIM'),
  new Option(
    '--oidc-client-id <id>',
    'this service as registered with the issuer, so that people sign in to the web pages there; its secret, if it has one, in RIVALSCOPE_OIDC_CLIENT_SECRET',
  ).env('RIVALSCOPE_OIDC_CLIENT_ID'),
  new Option('--oidc-scopes <list>', 'scopes to ask the issuer for, separated by spaces')
    .env('RIVALSCOPE_OIDC_SCOPES')
    .default('openid'),
  logLevelOption(),
]

/**
 * Options of the demo. Environment variables of a real installation must not lead it to that store, its sources or its
 * addresses: only options count here.
 */
export const demoOptions = () => {
  const usual = { dataDir: '.rivalscope-demo', logLevel: 'warn' } as Record<string, string>
  const taken = new Set(['dataDir', 'storeMemory', 'storeUser', 'host', 'port', 'logLevel'])
  return [...locationOptions(), ...serviceOptions()]
    .filter((option) => taken.has(option.attributeName()))
    .map((option) => {
      delete option.envVar
      const own = usual[option.attributeName()]
      return own === undefined ? option : option.default(own)
    })
}

export interface DemoOptions extends Pick<LocationOptions, 'dataDir' | 'storeMemory' | 'storeUser'> {
  host: string
  port: number
  logLevel: string
}

export const logLevelOption = () =>
  new Option('--log-level <level>', 'how much is logged on standard error')
    .env('RIVALSCOPE_LOG_LEVEL')
    .default('info')
    .choices(['silent', 'error', 'warn', 'info', 'debug'])

export interface WorkOptions extends LocationOptions {
  logLevel: string
}

export interface ServiceOptions extends LocationOptions {
  host: string
  port: number
  work: 'on' | 'off'
  replicaUrl: string[]
  rateLimit: number
  corsOrigin: string[]
  trustProxy: string[]
  publicUrl?: string
  metricsPort?: number
  metricsHost?: string
  metricsKey?: string
  jwtIssuer?: string
  jwtAudience?: string
  jwtJwksUrl?: string
  jwtAccountClaim: string
  jwtEvidenceClaim?: string
  jwtAdminClaim?: string
  oidcClientId?: string
  oidcScopes: string
  logLevel: string
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

/** An http(s) address without query, and without a slash at its end. */
function homeAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new InvalidArgumentError('must be an http or https address, such as https://rivalscope.example.com')
  return url.href.replace(/\/+$/, '')
}

function list(text: string, before: string[]): string[] {
  return [...before, ...text.split(',').map((part) => part.trim())].filter((part) => part !== '')
}

/** Comma-separated addresses and ranges of proxies. */
function proxies(text: string, before: string[]): string[] {
  const named = list(text, before)
  const reason = named.map(whyNoProxy).find((reason) => reason !== undefined)
  if (reason !== undefined) throw new InvalidArgumentError(reason)
  return named
}
