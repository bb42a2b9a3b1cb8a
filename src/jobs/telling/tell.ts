import { accountName } from '../../domain/accounts/queries.ts'
import { claimDeliveries, releaseWay, settleDelivered, settleFailed } from '../../domain/watches/deliveries.ts'
import { isQuiet } from '../../domain/watches/times.ts'
import type { WatchEvent } from '../../domain/watches/watch.ts'
import { signingSecret, timesOf, type Way, wayOf } from '../../domain/watches/ways.ts'
import { TellingFailure } from '../../sources/telling/failure.ts'
import { postWebhook } from '../../sources/telling/webhook.ts'
import type { Database } from '../../storage/database.ts'
import type { Telling } from './settings.ts'
import { mostInMessage, webhookBody } from './webhook-message.ts'

/**
 * Sends what waits for a way, a message at a time, until nothing waits or one fails. Nothing is sent in quiet hours.
 * Whatever fails is told of where deliveries are listed, and is no failure of the job.
 */
export async function tell(db: Database, telling: Telling, wayId: string, signal: AbortSignal): Promise<void> {
  const way = await wayOf(db, wayId)
  if (!way) return
  if (isQuiet(await timesOf(db, way.accountId), new Date())) return
  for (let more = true; more; ) {
    const outgoing = await claimDeliveries(db, way, mostInMessage)
    if (!outgoing) return
    const { events } = outgoing
    if (events.length === 0) return await releaseWay(db, wayId)
    try {
      await send(db, telling, way, events, signal)
    } catch (error) {
      if (!(error instanceof TellingFailure)) {
        await releaseWay(db, wayId)
        throw error
      }
      return await settleFailed(db, way, events, { reason: error.message, isFinal: error.isFinal })
    }
    await settleDelivered(db, way, events)
    more = outgoing.more > 0 && !signal.aborted
  }
}

/** Sends events by a way. @throws TellingFailure */
export async function send(
  db: Database,
  telling: Telling,
  way: Way,
  events: readonly WatchEvent[],
  signal: AbortSignal,
): Promise<void> {
  if (way.address === null) throw new TellingFailure('A feed is asked, and is sent nothing.')
  const message = { account: await accountName(db, way.accountId), events, publicUrl: telling.publicUrl }
  const body = webhookBody(way.shape ?? 'generic', message)
  await postWebhook(
    { url: way.address, body, secret: await signingSecret(db, way.wayId) },
    telling.settings,
    signal,
  )
}
