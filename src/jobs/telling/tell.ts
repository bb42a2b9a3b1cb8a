import {
  claimDeliveries,
  type DigestSpan,
  type Outgoing,
  releaseWay,
  settleDelivered,
  settleFailed,
} from '../../domain/watches/deliveries.ts'
import { digestDue } from '../../domain/watches/digests.ts'
import { notMeasuredIn } from '../../domain/watches/not-measured.ts'
import { isQuiet } from '../../domain/watches/times.ts'
import { timesOf, type Way, wayOf } from '../../domain/watches/ways.ts'
import { TellingFailure } from '../../sources/telling/failure.ts'
import type { Database } from '../../storage/database.ts'
import { type Digested, mostInDigest } from './mail-message.ts'
import { send } from './send.ts'
import type { Telling } from './settings.ts'
import { mostInMessage } from './webhook-message.ts'

/** The result of sending events through one channel, with the reason where they could not be delivered. */
export type Told = { wayId: string; events: number } & (
  | { outcome: 'delivered' }
  | { outcome: 'failed'; reason: string }
)

/**
 * Sends the pending events of a channel, one message at a time, until none is left or a delivery fails. Sends nothing in
 * quiet hours, and through a channel with digests only the due one. A failed delivery appears in the list of deliveries, and
 * does not fail the job.
 */
export async function tell(
  db: Database,
  telling: Telling,
  wayId: string,
  signal: AbortSignal,
): Promise<Told | undefined> {
  let events = 0
  for (let more = true; more; ) {
    const way = await wayOf(db, wayId)
    if (!way || isQuiet(await timesOf(db, way.accountId), new Date())) break
    const hasDigests = way.digest !== null && way.digest !== 'immediate'
    const span = hasDigests ? await digestDue(db, wayId, new Date()) : undefined
    if (hasDigests && !span) break
    const outgoing = await claimDeliveries(db, way, span ? mostInDigest : mostInMessage, span)
    if (!outgoing) break
    if (!span && outgoing.events.length === 0) {
      await releaseWay(db, wayId)
      break
    }
    const reason = await sendClaimed(db, telling, way, outgoing, span, signal)
    if (reason !== undefined) return { wayId, events: outgoing.events.length, reason, outcome: 'failed' }
    events += outgoing.events.length
    more = outgoing.more > 0 && !signal.aborted
  }
  return events === 0 ? undefined : { wayId, events, outcome: 'delivered' }
}

/** Sends the claimed events and records the result. An empty digest is not sent if everything was measured. @returns why it failed */
async function sendClaimed(
  db: Database,
  telling: Telling,
  way: Way,
  outgoing: Outgoing,
  span: DigestSpan | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { events } = outgoing
  try {
    const digest = span && (await digestedIn(db, way, outgoing, span))
    if (events.length > 0 || (digest?.notMeasured?.length ?? 0) > 0)
      await send(db, telling, way, events, digest, signal)
  } catch (error) {
    if (!(error instanceof TellingFailure)) {
      await releaseWay(db, way.wayId)
      throw error
    }
    await settleFailed(db, way, events, { reason: error.message, isFinal: error.isFinal })
    return error.message
  }
  await settleDelivered(db, way, outgoing)
  return undefined
}

/** What was not measured is reported once for each period: with the last part of its digest, and not with late events. */
async function digestedIn(
  db: Database,
  { accountId }: Way,
  { more }: Outgoing,
  { from, until, toldUntil }: DigestSpan,
): Promise<Digested> {
  const isSaid = more > 0 || toldUntil >= until
  return { from, until, notMeasured: isSaid ? null : await notMeasuredIn(db, accountId, { from, until }) }
}
