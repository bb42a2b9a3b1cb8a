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

/**
 * Sends what waits for a way, a message at a time, until nothing waits or one fails. Nothing is sent in quiet hours, and by a way
 * with digests only the one that is due. Whatever fails is told of where deliveries are listed, and is no failure of the job.
 */
export async function tell(db: Database, telling: Telling, wayId: string, signal: AbortSignal): Promise<void> {
  for (let more = true; more; ) {
    const way = await wayOf(db, wayId)
    if (!way || isQuiet(await timesOf(db, way.accountId), new Date())) return
    const hasDigests = way.digest !== null && way.digest !== 'immediate'
    const span = hasDigests ? await digestDue(db, wayId, new Date()) : undefined
    if (hasDigests && !span) return
    const outgoing = await claimDeliveries(db, way, span ? mostInDigest : mostInMessage, span)
    if (!outgoing) return
    if (!span && outgoing.events.length === 0) return await releaseWay(db, wayId)
    if (!(await sendClaimed(db, telling, way, outgoing, span, signal))) return
    more = outgoing.more > 0 && !signal.aborted
  }
}

/** Sends what was claimed, and settles it. A digest is not sent where nothing happened and all was measured. @returns whether it went well */
async function sendClaimed(
  db: Database,
  telling: Telling,
  way: Way,
  outgoing: Outgoing,
  span: DigestSpan | undefined,
  signal: AbortSignal,
): Promise<boolean> {
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
    return false
  }
  await settleDelivered(db, way, outgoing)
  return true
}

/** What was not measured is told once for each time: with the last part of its digest, and not with what is sent late. */
async function digestedIn(
  db: Database,
  { accountId }: Way,
  { more }: Outgoing,
  { from, until, toldUntil }: DigestSpan,
): Promise<Digested> {
  const isSaid = more > 0 || toldUntil >= until
  return { from, until, notMeasured: isSaid ? null : await notMeasuredIn(db, accountId, { from, until }) }
}
