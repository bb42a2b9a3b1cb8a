import { accountTimesOf, type Channel, channelOf } from '../../domain/watches/channels.ts'
import {
  claimDeliveries,
  type DigestSpan,
  markDelivered,
  type OutgoingDelivery,
  recordDeliveryFailure,
  releaseChannel,
} from '../../domain/watches/deliveries.ts'
import { dueDigestOf } from '../../domain/watches/digests.ts'
import { notMeasuredIn } from '../../domain/watches/not-measured.ts'
import { isInQuietHours } from '../../domain/watches/times.ts'
import { NotificationFailure } from '../../sources/notifications/failure.ts'
import type { Database } from '../../storage/database.ts'
import { type DigestPeriod, maxEventsInDigest } from './mail-message.ts'
import { sendToChannel } from './send.ts'
import type { Notifications } from './settings.ts'
import { maxEventsInMessage } from './webhook-message.ts'

/** The result of sending events through one channel, with the reason where they could not be delivered. */
export type NotificationResult = { wayId: string; events: number } & (
  | { outcome: 'delivered' }
  | { outcome: 'failed'; reason: string }
)

/**
 * Sends the pending events of a channel, one message at a time, until none is left or a delivery fails. Sends nothing in
 * quiet hours, and through a channel with digests only the due one. A failed delivery appears in the list of deliveries, and
 * does not fail the job.
 */
export async function notifyChannel(
  db: Database,
  notifications: Notifications,
  wayId: string,
  signal: AbortSignal,
): Promise<NotificationResult | undefined> {
  let events = 0
  for (let more = true; more; ) {
    const channel = await channelOf(db, wayId)
    if (!channel || isInQuietHours(await accountTimesOf(db, channel.accountId), new Date())) break
    const hasDigests = channel.digest !== null && channel.digest !== 'immediate'
    const span = hasDigests ? await dueDigestOf(db, wayId, new Date()) : undefined
    if (hasDigests && !span) break
    const outgoing = await claimDeliveries(db, channel, span ? maxEventsInDigest : maxEventsInMessage, span)
    if (!outgoing) break
    if (!span && outgoing.events.length === 0) {
      await releaseChannel(db, wayId)
      break
    }
    const reason = await sendClaimed(db, notifications, channel, outgoing, span, signal)
    if (reason !== undefined) return { wayId, events: outgoing.events.length, reason, outcome: 'failed' }
    events += outgoing.events.length
    more = outgoing.more > 0 && !signal.aborted
  }
  return events === 0 ? undefined : { wayId, events, outcome: 'delivered' }
}

/** Sends the claimed events and records the result. An empty digest is not sent if everything was measured. @returns why it failed */
async function sendClaimed(
  db: Database,
  notifications: Notifications,
  channel: Channel,
  outgoing: OutgoingDelivery,
  span: DigestSpan | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { events } = outgoing
  try {
    const digest = span && (await digestedIn(db, channel, outgoing, span))
    if (events.length > 0 || (digest?.notMeasured?.length ?? 0) > 0)
      await sendToChannel(db, notifications, channel, events, digest, signal)
  } catch (error) {
    if (!(error instanceof NotificationFailure)) {
      await releaseChannel(db, channel.wayId)
      throw error
    }
    await recordDeliveryFailure(db, channel, events, { reason: error.message, isFinal: error.isFinal })
    return error.message
  }
  await markDelivered(db, channel, outgoing)
  return undefined
}

/** What was not measured is reported once for each period: with the last part of its digest, and not with late events. */
async function digestedIn(
  db: Database,
  { accountId }: Channel,
  { more }: OutgoingDelivery,
  { from, until, notifiedUntil }: DigestSpan,
): Promise<DigestPeriod> {
  const isSaid = more > 0 || notifiedUntil >= until
  return { from, until, notMeasured: isSaid ? null : await notMeasuredIn(db, accountId, { from, until }) }
}
