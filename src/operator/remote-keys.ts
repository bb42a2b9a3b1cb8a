import type { KeyMade, KeyShown } from '../api/account-keys.ts'
import { type ProblemDetails, ServerUnreachable } from '../client/failures.ts'
import { statedTime } from '../ingest/times.ts'
import { Refusal } from './command.ts'
import type { Input } from './field-help.ts'
import { keyLine, type newKeyInput, printKey, type rotateKeyInput } from './keys.ts'
import type { RemoteContext } from './operator-context.ts'

/** Key commands on a running server: an admin may manage the keys of their own account. */

/** Timeout of a call in seconds. */
const longestAnswer = 60

export async function createRemotely(context: RemoteContext, input: Input<typeof newKeyInput>): Promise<0> {
  const { name, scopes, expires, bringEvidence, networks } = input
  const made = (await ask(context, 'POST', '/keys', {
    name,
    scopes,
    ...(expires === undefined ? {} : { expiresAt: statedTime(expires)?.at.toISOString() }),
    ...(bringEvidence === undefined ? {} : { bringsEvidence: bringEvidence === 'on' }),
    ...(networks === undefined ? {} : { networks }),
  })) as KeyMade
  await printKey(context.terminal, made.key)
  return 0
}

export async function listRemotely(context: RemoteContext, { json }: { json?: boolean }): Promise<0> {
  const { terminal } = context
  const keys = await validKeys(context)
  if (json) terminal.out(JSON.stringify(keys))
  else for (const key of keys) terminal.out(lineOf(key))
  return 0
}

export async function rotateRemotely(
  context: RemoteContext,
  { key, overlapHours }: Input<typeof rotateKeyInput>,
): Promise<0> {
  const [only, ...others] = await keysNamed(context, key)
  if (others.length > 0)
    throw new Refusal(
      [
        `${others.length + 1} valid keys are named "${key}": give the id of one of them.`,
        ...[only, ...others].map(({ keyId }) => `  ${keyId}`),
      ].join('\n'),
    )
  const made = (await ask(context, 'POST', `/keys/${only.keyId}/rotation`, { overlapHours })) as KeyMade
  await printKey(context.terminal, made.key, { keyId: only.keyId, overlapHours })
  return 0
}

export async function revokeRemotely(context: RemoteContext, { key }: { key: string }): Promise<0> {
  const found = await keysNamed(context, key)
  // The key that makes these calls is revoked last.
  for (const one of found.sort((a, b) => Number(a.current) - Number(b.current))) {
    await ask(context, 'DELETE', `/keys/${one.keyId}`)
    context.terminal.out(`revoked ${one.keyId}  ${one.name}`)
  }
  return 0
}

/** At least one. @throws Refusal where there is none */
async function keysNamed(context: RemoteContext, idOrName: string): Promise<[KeyShown, ...KeyShown[]]> {
  const found = (await validKeys(context)).filter(({ keyId, name }) => keyId === idOrName || name === idOrName)
  const [first, ...others] = found
  if (first) return [first, ...others]
  throw new Refusal(`No valid key of your account has the id or name "${idOrName}".`)
}

const validKeys = async (context: RemoteContext) =>
  ((await ask(context, 'GET', '/keys')) as { items: KeyShown[] }).items

const lineOf = ({ expiresAt, lastUsedAt, ...key }: KeyShown) =>
  keyLine({
    ...key,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    revokedAt: null,
  })

/** The server's refusal, in words. */
function refusalOf({ code, title, detail, errors = [], requestId }: ProblemDetails): Refusal {
  const wrong = errors.map(({ pointer, message }) => `error: ${optionOf(pointer)}: ${message}`)
  return wrong.length > 0
    ? new Refusal(wrong.join('\n'), 2)
    : new Refusal(`error: ${title} (${code})\n  ${detail}\n  request ${requestId}`)
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

/**
 * Sends the request without retries: a retry could create a second key, and a key is shown only once.
 * @throws Refusal, ServerUnreachable
 */
async function ask(
  { server, key, signal }: RemoteContext,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<unknown> {
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
  if (type.startsWith('application/problem+json')) throw refusalOf(reply as ProblemDetails)
  const what = `${server} answered ${response.status}, which is no answer of Rivalscope. Is the address right, with its path?`
  throw new ServerUnreachable(server, 'not-rivalscope', what)
}
