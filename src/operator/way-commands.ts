import { v7 as uuidv7 } from 'uuid'
import { listDeliveries, resendDead } from '../domain/watches/deliveries.ts'
import { clockOf, minutesOf } from '../domain/watches/times.ts'
import type { WatchEvent } from '../domain/watches/watch.ts'
import {
  addFeed,
  addMail,
  addWebhook,
  listWays,
  removeWay,
  setTimes,
  signingSecret,
} from '../domain/watches/ways.ts'
import { send } from '../jobs/telling/send.ts'
import { MailAddress, usualUrl } from '../jobs/telling/settings.ts'
import { TellingFailure } from '../sources/telling/failure.ts'
import { refusalOfWebhook } from '../sources/telling/webhook.ts'
import type { Digest, WayKind, WebhookShape } from '../vocabulary/watches.ts'
import type { OperatorContext } from './operator-context.ts'
import { isUuid } from './uuid-argument.ts'
import { namedAccount } from './watch-commands.ts'

export interface AddWayOptions {
  kind: WayKind
  address?: string
  account: string
  shape?: WebhookShape
  digest?: Digest
}

/** Adds a way. Standard output carries its secret alone: that of a webhook's signature, or the path of a feed; of mail, its id. */
export async function addWayCommand(context: OperatorContext, options: AddWayOptions): Promise<0 | 1> {
  const { db, terminal, telling } = context
  const refusal = refusalOf(context, options)
  if (refusal !== undefined) {
    terminal.note(refusal)
    return 1
  }
  const accountId = await namedAccount(context, options.account)
  if (accountId === undefined) return 1
  const { kind, address = '', shape = 'generic', digest = 'immediate' } = options
  if (kind === 'feed') {
    const { token } = await addFeed(db, accountId)
    terminal.note('Whoever has this address reads the feed. It is not shown again.')
    terminal.out(`${telling.publicUrl ?? usualUrl}/feeds/${token}.atom`)
  } else if (kind === 'email') {
    const when = digest === 'immediate' ? 'when something happens' : `in a ${digest} digest`
    terminal.note(`Mail is sent ${when}: try it with rivalscope watches test.`)
    terminal.out(await addMail(db, accountId, { address, digest }))
  } else {
    const wayId = await addWebhook(db, accountId, { address, shape })
    terminal.note('Messages are signed with this secret (docs/watches.md).')
    terminal.out(await signingSecret(db, wayId))
  }
  return 0
}

/** Why the options do not go together, in words. */
function refusalOf(
  { telling }: OperatorContext,
  { kind, address, shape, digest }: AddWayOptions,
): string | undefined {
  if (shape !== undefined && kind !== 'webhook') return '--shape belongs to webhooks.'
  if (digest !== undefined && kind !== 'email') return '--digest belongs to e-mail.'
  if (kind === 'feed') return address === undefined ? undefined : 'A feed has no address: it is asked.'
  if (kind === 'email') {
    if (address === undefined) return 'The address of the mail is missing.'
    if (!MailAddress.safeParse(address).success)
      return `"${address.slice(0, 60)}" is no address such as me@example.com.`
    return typeof telling.mail === 'string' ? telling.mail : undefined
  }
  if (address === undefined) return 'The address of the webhook is missing.'
  const why = refusalOfWebhook(address, telling.settings)
  return why && `This address is not called. ${why}`
}

/** Standing ways with what waits, is dead or fails. Addresses of webhooks are shortened, since many are secrets. */
export async function listWaysCommand(
  { db, terminal }: OperatorContext,
  { account, json }: { account?: string; json?: boolean },
): Promise<0 | 1> {
  const ways = (await listWays(db, account)).map((way) => ({ ...way, address: shown(way.kind, way.address) }))
  if (json) terminal.out(JSON.stringify(ways))
  else if (ways.length === 0) terminal.out('No way yet: begin with rivalscope ways add.')
  else
    for (const { wayId, account: name, kind, digest, address, pending, dead, lastError } of ways)
      terminal.out(
        `${wayId}  ${name}  ${kind}${digest ? `, ${digest}` : ''}  ${address ?? '-'}  ${pending} waiting, ${dead} dead${lastError ? `  failing: ${lastError}` : ''}`,
      )
  return 0
}

const shown = (kind: WayKind, address: string | null) =>
  kind === 'webhook' && address !== null ? `${new URL(address).origin}/…` : address

/** Removes a way; what waits for it is not sent. */
export async function removeWayCommand(
  { db, terminal }: OperatorContext,
  { wayId }: { wayId: string },
): Promise<0 | 1> {
  if (isUuid(wayId) && (await removeWay(db, wayId))) {
    terminal.out(`removed ${wayId}`)
    return 0
  }
  terminal.note(`No way has the id "${wayId}"; rivalscope ways list names them.`)
  return 1
}

/** Sends a made-up event by each way of an account, at once, and says what became of it. */
export async function testWaysCommand(
  context: OperatorContext,
  { account }: { account: string },
): Promise<0 | 1> {
  const { db, terminal, telling, signal } = context
  if ((await namedAccount(context, account)) === undefined) return 1
  const ways = (await listWays(db, account)).filter(({ kind }) => kind !== 'feed')
  if (ways.length === 0) {
    terminal.note(`The account ${account} has no way that is sent anything.`)
    return 1
  }
  let failed = false
  for (const way of ways) {
    const result = await send(db, telling, way, [sample()], undefined, signal).then(
      () => 'arrived',
      (error: unknown) => {
        if (!(error instanceof TellingFailure)) throw error
        failed = true
        return error.message
      },
    )
    terminal.out(`${way.wayId}  ${way.kind}  ${shown(way.kind, way.address)}  ${result}`)
  }
  return failed ? 1 : 0
}

const sample = (): WatchEvent => ({
  eventId: uuidv7(),
  eventNumber: '0',
  watchId: uuidv7(),
  kind: 'top',
  title: 'This is a test: nothing has happened',
  page: '/',
  evidence: {},
  observedAt: new Date(),
  recordedAt: new Date(),
})

/** What became of events by each way, newest first. */
export async function deliveriesCommand(
  { db, terminal }: OperatorContext,
  { account, dead, json }: { account?: string; dead?: boolean; json?: boolean },
): Promise<0 | 1> {
  const found = await listDeliveries(db, {
    ...(account === undefined ? {} : { account }),
    ...(dead ? { state: 'dead' as const } : {}),
    limit: 1_000,
  })
  if (json) terminal.out(JSON.stringify(found))
  else if (found.length === 0) terminal.out(dead ? 'No delivery is dead.' : 'Nothing was to be delivered yet.')
  else
    for (const { deliveryId, account: name, kind, state, attempts, title, lastError } of found)
      terminal.out(
        `${deliveryId}  ${name}  ${kind}  ${state}  ${attempts} attempts  ${title}${lastError ? `  (${lastError})` : ''}`,
      )
  return 0
}

/** Has dead deliveries attempted again. */
export async function resendCommand(
  { db, terminal }: OperatorContext,
  { deliveryId, account }: { deliveryId?: string; account?: string },
): Promise<0 | 1> {
  if ((deliveryId === undefined) === (account === undefined)) {
    terminal.note('Give the id of a delivery, or --account for all that are dead.')
    return 1
  }
  if (deliveryId !== undefined && !isUuid(deliveryId)) {
    terminal.note(`No delivery has the id "${deliveryId}"; rivalscope watches deliveries --dead names them.`)
    return 1
  }
  const again = await resendDead(db, {
    ...(deliveryId === undefined ? {} : { deliveryId }),
    ...(account === undefined ? {} : { account }),
  })
  if (again === 0) terminal.note('No such delivery is dead.')
  else terminal.out(`${again} ${again === 1 ? 'delivery is' : 'deliveries are'} sent again`)
  return again === 0 ? 1 : 0
}

export interface TimesOptions {
  account: string
  timeZone: string
  quiet?: string
}

/** Sets the time zone and the quiet hours of an account; no quiet hours where none are given. */
export async function timesCommand(
  context: OperatorContext,
  { account, timeZone, quiet }: TimesOptions,
): Promise<0 | 1> {
  const { db, terminal } = context
  const [from, until] = quiet?.split('-').map(minutesOf) ?? []
  if (quiet !== undefined && (from === undefined || until === undefined || quiet.split('-').length !== 2)) {
    terminal.note(`"${quiet}" are no hours such as 22:00-07:30.`)
    return 1
  }
  const accountId = await namedAccount(context, account)
  if (accountId === undefined) return 1
  await setTimes(db, accountId, { timeZone, quietFrom: from ?? null, quietUntil: until ?? null })
  const hours =
    from === undefined || until === undefined
      ? 'no quiet hours'
      : `quiet from ${clockOf(from)} to ${clockOf(until)}`
  terminal.out(`${account}: ${timeZone}, ${hours}`)
  return 0
}
