import { v7 as uuidv7 } from 'uuid'
import { type Channel, recordTest } from '../../domain/watches/channels.ts'
import type { WatchEvent } from '../../domain/watches/watch.ts'
import { NotificationFailure } from '../../sources/notifications/failure.ts'
import { refusalOfWebhook } from '../../sources/notifications/webhook.ts'
import type { Database } from '../../storage/database.ts'
import type { ChannelKind } from '../../vocabulary/watches.ts'
import { sendToChannel } from './send.ts'
import { MailAddress, type Notifications } from './settings.ts'

/** Why an address is no channel here, in a sentence that does not repeat a webhook's; undefined where it may be one. */
export function refusalOfAddress(
  { mail, settings, notSent }: Notifications,
  kind: Exclude<ChannelKind, 'feed'>,
  address: string,
): string | undefined {
  if (notSent !== undefined) return notSent
  if (kind === 'email') {
    if (!MailAddress.safeParse(address).success)
      return `"${address.slice(0, 60)}" is no address such as me@example.com.`
    return typeof mail === 'string' ? mail : undefined
  }
  const why = refusalOfWebhook(address, settings)
  return why && `This address is not called. ${why}`
}

/** Where a channel leads, as it is shown: addresses of webhooks are shortened, since many are secrets. */
export const shownAddress = ({ kind, address }: Pick<Channel, 'kind' | 'address'>): string | null =>
  kind === 'webhook' && address !== null ? `${new URL(address).origin}/…` : address

/**
 * Sends a made-up event through a channel, at once, and notes what came of it.
 * @returns why it did not arrive, in a sentence without the address; undefined where it did
 */
export async function testChannel(
  db: Database,
  notifications: Notifications,
  channel: Channel,
  signal: AbortSignal,
): Promise<string | undefined> {
  const failure = await sendToChannel(db, notifications, channel, [sample(uuidv7())], undefined, signal).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof NotificationFailure) return error.message
      throw error
    },
  )
  await recordTest(db, channel.wayId, failure)
  return failure
}

const sample = (id: string): WatchEvent => ({
  eventId: id,
  eventNumber: '0',
  watchId: id,
  kind: 'top',
  title: 'This is a test: nothing has happened',
  page: '/',
  evidence: {},
  observedAt: new Date(),
  recordedAt: new Date(),
})
