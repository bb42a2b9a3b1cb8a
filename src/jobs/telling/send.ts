import { accountName } from '../../domain/accounts/queries.ts'
import { namesIn } from '../../domain/watches/queries.ts'
import type { WatchEvent } from '../../domain/watches/watch.ts'
import { signingSecret, timesOf, type Way } from '../../domain/watches/ways.ts'
import { TellingFailure } from '../../sources/telling/failure.ts'
import { sendMail } from '../../sources/telling/mail.ts'
import { postWebhook } from '../../sources/telling/webhook.ts'
import type { Database } from '../../storage/database.ts'
import { type Digested, mailOf, messageIdOf } from './mail-message.ts'
import { type Telling, usualUrl } from './settings.ts'
import { type Message, webhookBody, webhookId } from './webhook-message.ts'

/** Sends events through a notification channel, as a digest where one is given. @throws TellingFailure */
export async function send(
  db: Database,
  telling: Telling,
  way: Way,
  events: readonly WatchEvent[],
  digest: Digested | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { address } = way
  if (address === null) throw new TellingFailure('A feed is asked, and is sent nothing.')
  const message = {
    account: await accountName(db, way.accountId),
    events,
    publicUrl: telling.publicUrl ?? usualUrl,
  }
  if (way.kind === 'email') return await mail(db, telling, { ...way, address }, message, digest, signal)
  const body = webhookBody(way.shape ?? 'generic', message)
  await postWebhook(
    { url: address, id: webhookId(way.wayId, events), body, secret: await signingSecret(db, way.wayId) },
    telling.settings,
    signal,
  )
}

async function mail(
  db: Database,
  telling: Telling,
  { wayId, accountId, address }: Way & { address: string },
  message: Message,
  digest: Digested | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (typeof telling.mail === 'string') throw new TellingFailure(telling.mail)
  const { server, from } = telling.mail
  const storeIds = message.events.flatMap(({ evidence: { storeId } }) =>
    typeof storeId === 'string' ? [storeId] : [],
  )
  const { timeZone } = await timesOf(db, accountId)
  const names = await namesIn(db, [...new Set(storeIds)], 'us')
  await sendMail(
    server,
    {
      from,
      to: address,
      ...mailOf({ ...message, names, timeZone, digest }),
      messageId: messageIdOf(wayId, message.events, digest?.until, from),
    },
    telling.settings,
    signal,
  )
}
