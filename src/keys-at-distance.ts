import type { z } from 'zod'
import type { KeyMade, KeyShown } from './api/account-keys.ts'
import type { CommandContext } from './cli/command-context.ts'
import { type Connection, type ConnectionOptions, connectionOf } from './cli/connection.ts'
import { explainOperationFailure } from './cli/operations/failure-words.ts'
import { UsageError } from './cli/options.ts'
import { type ProblemDetails, ServerUnreachable } from './client/failures.ts'
import { statedTime } from './ingest/times.ts'
import { keyLine, tellKey } from './operator/key-commands.ts'
import { CreateKeyInput, KeyInput, ListKeysInput, RotateKeyInput } from './operator/rows/accounts.ts'
import type { Terminal } from './operator/terminal.ts'

/** Seconds a server has for its answer. */
const longestAnswer = 60

type Ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** Commands about keys that a running server performs for an admin, on the keys of their account alone: no store is opened here. */
export async function keysAtDistance(
  command: string,
  connection: ConnectionOptions,
  input: unknown,
  terminal: Terminal,
  { env, signal }: Pick<CommandContext, 'env' | 'signal'>,
): Promise<0 | 1 | 2> {
  try {
    const { server, key, warnings } = await connectionOf(connection, env)
    for (const warning of warnings) terminal.note(`warning: ${warning}`)
    if (key === undefined)
      throw new UsageError(`no key for ${server}: give --key, or name a --profile that has one`)
    const ask = askAt({ server, key }, signal)
    switch (command) {
      case 'keys create':
        return await create(ask, CreateKeyInput.parse(input), terminal)
      case 'keys list':
        return await list(ask, ListKeysInput.parse(input), terminal)
      case 'keys rotate':
        return await rotate(ask, RotateKeyInput.parse(input), terminal)
      default:
        return await revoke(ask, KeyInput.parse(input), terminal)
    }
  } catch (error) {
    if (error instanceof Refused) {
      terminal.note(error.message)
      return error.code
    }
    const reported = explainOperationFailure(error, [])
    if (!reported) throw error
    terminal.note(reported.message)
    return reported.code
  }
}

async function create(ask: Ask, input: z.output<typeof CreateKeyInput>, terminal: Terminal): Promise<0> {
  const { name, scopes, account, expires, bringEvidence, networks, admin } = input
  if (account !== undefined || admin === true)
    throw new UsageError('--account and --admin go with a store: an admin makes keys of their own account')
  const made = (await ask('POST', '/keys', {
    name,
    scopes,
    ...(expires === undefined ? {} : { expiresAt: statedTime(expires)?.at.toISOString() }),
    ...(bringEvidence === undefined ? {} : { bringsEvidence: bringEvidence === 'on' }),
    ...(networks === undefined ? {} : { networks }),
  })) as KeyMade
  tellKey(terminal, made.key)
  return 0
}

async function list(ask: Ask, { json }: z.output<typeof ListKeysInput>, terminal: Terminal): Promise<0> {
  const keys = await keysFrom(ask)
  if (json) terminal.out(JSON.stringify(keys))
  else for (const key of keys) terminal.out(lineOf(key))
  return 0
}

async function rotate(
  ask: Ask,
  { key, overlapHours }: z.output<typeof RotateKeyInput>,
  terminal: Terminal,
): Promise<0 | 1> {
  const found = await keysNamed(ask, key, terminal)
  const [only] = found
  if (only === undefined) return 1
  if (found.length > 1) {
    terminal.note(`${found.length} valid keys are named "${key}": give the id of one of them.`)
    for (const one of found) terminal.note(`  ${one.keyId}`)
    return 1
  }
  const made = (await ask('POST', `/keys/${only.keyId}/rotation`, { overlapHours })) as KeyMade
  tellKey(terminal, made.key, { keyId: only.keyId, overlapHours })
  return 0
}

async function revoke(ask: Ask, { key }: z.output<typeof KeyInput>, terminal: Terminal): Promise<0 | 1> {
  const found = await keysNamed(ask, key, terminal)
  // The one that asks goes last, or it could not end the others.
  for (const one of found.sort((a, b) => Number(a.current) - Number(b.current))) {
    await ask('DELETE', `/keys/${one.keyId}`)
    terminal.out(`revoked ${one.keyId}  ${one.name}`)
  }
  return found.length === 0 ? 1 : 0
}

async function keysNamed(ask: Ask, idOrName: string, terminal: Terminal): Promise<KeyShown[]> {
  const found = (await keysFrom(ask)).filter(({ keyId, name }) => keyId === idOrName || name === idOrName)
  if (found.length === 0) terminal.note(`No valid key of your account has the id or name "${idOrName}".`)
  return found
}

const keysFrom = async (ask: Ask) => ((await ask('GET', '/keys')) as { items: KeyShown[] }).items

const lineOf = ({ expiresAt, lastUsedAt, ...key }: KeyShown) =>
  keyLine({
    ...key,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    revokedAt: null,
  })

/** What the server refused, in words, and the exit code. */
class Refused extends Error {
  readonly code: 1 | 2

  constructor({ code, title, detail, errors = [], requestId }: ProblemDetails) {
    const wrong = errors.map(({ pointer, message }) => `error: ${optionOf(pointer)}: ${message}`)
    super(
      wrong.length > 0 ? wrong.join('\n') : `error: ${title} (${code})\n  ${detail}\n  request ${requestId}`,
    )
    this.code = wrong.length > 0 ? 2 : 1
  }
}

const options: Readonly<Record<string, string>> = {
  name: '--name',
  scopes: '--scopes',
  expiresAt: '--expires',
  bringsEvidence: '--bring-evidence',
  networks: '--networks',
  overlapHours: '--overlap-hours',
  keyId: '<key>',
}

function optionOf(pointer: string): string {
  const [, , field = ''] = pointer.split('/')
  return options[field] ?? pointer
}

/** Asks once: a key that was made is shown once, and asking again would make another. */
function askAt({ server, key }: Pick<Connection, 'server' | 'key'>, signal: AbortSignal): Ask {
  return async (method, path, body) => {
    const response = await fetch(`${server}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestAnswer * 1_000)]),
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new ServerUnreachable(server, 'no-connection', `${server} cannot be reached.`, { cause: error })
    })
    if (response.status === 204) return undefined
    const type = response.headers.get('content-type') ?? ''
    const reply: unknown = /json/.test(type) ? await response.json() : undefined
    if (response.ok && reply) return reply
    if (type.startsWith('application/problem+json')) throw new Refused(reply as ProblemDetails)
    const what = `${server} answered ${response.status}, which is no answer of Rivalscope. Is the address right, with its path?`
    throw new ServerUnreachable(server, 'not-rivalscope', what)
  }
}
