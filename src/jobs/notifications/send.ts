import { accountName } from '../../domain/accounts/queries.ts'
import { accountTimesOf, type Channel, signingSecret } from '../../domain/watches/channels.ts'
import { namesOfAppIds } from '../../domain/watches/queries.ts'
import type { WatchEvent } from '../../domain/watches/watch.ts'
import { NotificationFailure } from '../../sources/notifications/failure.ts'
import { sendMail } from '../../sources/notifications/mail.ts'
import { postWebhook } from '../../sources/notifications/webhook.ts'
import type { Database } from '../../storage/database.ts'
import { composeMail, type DigestPeriod, messageIdOf } from './mail-message.ts'
import { defaultUrl, type Notifications } from './settings.ts'
import { type Message, webhookBody, webhookId } from './webhook-message.ts'

/** Sends events through a notification channel, as a digest where one is given. @throws NotificationFailure */
export async function sendToChannel(
  db: Database,
  notifications: Notifications,
  channel: Channel,
  events: readonly WatchEvent[],
  digest: DigestPeriod | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { address } = channel
  if (notifications.notSent !== undefined) throw new NotificationFailure(notifications.notSent)
  if (address === null) throw new NotificationFailure('A feed is asked, and is sent nothing.')
  const message = {
    account: await accountName(db, channel.accountId),
    events,
    publicUrl: notifications.publicUrl ?? defaultUrl,
  }
  if (channel.kind === 'email')
    return await mail(db, notifications, { ...channel, address }, message, digest, signal)
  const body = webhookBody(channel.shape ?? 'generic', message)
  await postWebhook(
    {
      url: address,
      id: webhookId(channel.wayId, events),
      body,
      secret: await signingSecret(db, channel.wayId),
    },
    notifications.settings,
    signal,
  )
}

async function mail(
  db: Database,
  notifications: Notifications,
  { wayId, accountId, address }: Channel & { address: string },
  message: Message,
  digest: DigestPeriod | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (typeof notifications.mail === 'string') throw new NotificationFailure(notifications.mail)
  const { server, from } = notifications.mail
  const storeIds = message.events.flatMap(({ evidence: { storeId } }) =>
    typeof storeId === 'string' ? [storeId] : [],
  )
  const { timeZone } = await accountTimesOf(db, accountId)
  const names = await namesOfAppIds(db, [...new Set(storeIds)], 'us')
  await sendMail(
    server,
    {
      from,
      to: address,
      ...composeMail({ ...message, names, timeZone, digest }),
      messageId: messageIdOf(wayId, message.events, digest?.until, from),
    },
    notifications.settings,
    signal,
  )
}
