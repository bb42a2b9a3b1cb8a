import { Option } from 'commander'
import { type Profile, profileFile, readProfiles } from './profiles.ts'

/** The default server: where `rivalscope serve` listens by default. */
const defaultServer = 'http://127.0.0.1:8787'

/** A running server, and the key for it. */
export interface Connection {
  /** Absolute address without a slash at its end. */
  server: string
  key: string | undefined
  /** A warning to show before the key is sent. */
  warnings: string[]
}

export interface ConnectionOptions {
  server?: string
  key?: string
  profile?: string
}

/** The server or the key is missing or invalid. The message never contains the key. */
export class ConnectionError extends Error {}

/** The options of every command that talks to a running server. */
export const connectionOptions = () => [
  new Option('--server <url>', `running server to ask; RIVALSCOPE_SERVER, else ${defaultServer}`),
  new Option(
    '--key <key>',
    'API key; - reads it from standard input. Other users of this machine can see it in the list of processes: RIVALSCOPE_KEY or a profile keeps it from them',
  ),
  new Option('--profile <name>', 'server and key kept by rivalscope profile; RIVALSCOPE_PROFILE'),
]

export const connectionHelp = `Server and key: first --server and --key, then --profile, then RIVALSCOPE_SERVER and RIVALSCOPE_KEY, then RIVALSCOPE_PROFILE or the profile in use. The key of a profile is sent to the server of that profile only.`

/**
 * Which server, with which key: options, then the profile they name, then the environment, then the profile in use. The
 * file of profiles is opened only when it is needed.
 * @throws ConnectionError, or ProfileFileError from the file of profiles
 */
export async function connectionOf(
  options: ConnectionOptions,
  environment: NodeJS.ProcessEnv,
  /** Reads a key given as `-` from standard input; left out where standard input is used otherwise. */
  readKey?: () => Promise<string>,
): Promise<Connection> {
  const { RIVALSCOPE_SERVER: serverAround, RIVALSCOPE_KEY: keyAround } = environment
  const named = options.profile === undefined ? undefined : profileCalled(options.profile, environment)
  const current =
    named === undefined && !((options.server || serverAround) && (options.key || keyAround))
      ? profileInUse(environment)
      : undefined

  const [server = defaultServer] = [
    options.server !== undefined && serverAddress(options.server, '--server'),
    named && serverAddress(named.server, `the profile "${options.profile}"`),
    serverAround && serverAddress(serverAround, 'RIVALSCOPE_SERVER'),
    current && serverAddress(current.server, 'the profile in use'),
  ].filter(isGiven)
  const [key] = [
    options.key !== undefined && checkedKey(await keyGiven(options.key, readKey), '--key'),
    keyOf(named, server),
    keyAround && checkedKey(keyAround, 'RIVALSCOPE_KEY'),
    keyOf(current, server),
  ].filter(isGiven)
  return { server, key, warnings: key === undefined ? [] : warningsFor(server) }
}

const isGiven = (text: string | false | undefined): text is string => typeof text === 'string' && text !== ''

/**
 * A base address for requests: http or https, with a path where the server is published under one.
 * @throws ConnectionError
 */
export function serverAddress(address: string, said: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new ConnectionError(
      `${said}: the address of a server begins with http:// or https://, as in ${defaultServer}`,
    )
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new ConnectionError(`${said}: the address of a server has no user name, query or fragment`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** @throws ConnectionError, without the key, when it cannot be sent */
export function checkedKey(key: string, said: string): string {
  const trimmed = key.trim()
  if (!/^[\x21-\x7e]{1,4096}$/.test(trimmed))
    throw new ConnectionError(`${said}: that is no API key or token; one is a single word, such as rsk_…`)
  return trimmed
}

async function keyGiven(key: string, readKey: (() => Promise<string>) | undefined): Promise<string> {
  if (key !== '-') return key
  if (!readKey)
    throw new ConnectionError('--key: standard input is taken here; use RIVALSCOPE_KEY or a profile')
  return readKey()
}

function profileCalled(name: string, environment: NodeJS.ProcessEnv): Profile {
  const file = profileFile(environment)
  const { named } = readProfiles(file)
  const profile = named.get(name)
  if (profile) return profile
  const known = named.size === 0 ? 'there are none' : `there are ${[...named.keys()].join(', ')}`
  throw new ConnectionError(`no profile is called "${name.slice(0, 64)}" in ${file}: ${known}`)
}

function profileInUse(environment: NodeJS.ProcessEnv): Profile | undefined {
  if (environment.RIVALSCOPE_PROFILE) return profileCalled(environment.RIVALSCOPE_PROFILE, environment)
  const { current, named } = readProfiles(profileFile(environment))
  return current === undefined ? undefined : named.get(current)
}

function keyOf(profile: Profile | undefined, server: string): string | undefined {
  return profile?.key !== undefined && serverAddress(profile.server, 'the profile') === server
    ? checkedKey(profile.key, 'the key of the profile')
    : undefined
}

function warningsFor(server: string): string[] {
  const { protocol, hostname } = new URL(server)
  const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return protocol === 'https:' || loopback
    ? []
    : [`the key goes to ${hostname} over plain http, where others on the way can read it: use https`]
}
