import { z } from 'zod'
import {
  accountTimesOf,
  addFeed,
  addMail,
  addWebhook,
  type Channel,
  type ChannelListed,
  channelOf,
  claimTest,
  listChannels,
  muteChannel,
  removeChannel,
  roomForChannel,
  setAccountTimes,
  signingSecret,
} from '../domain/watches/channels.ts'
import { resendDeadDeliveries } from '../domain/watches/deliveries.ts'
import { type AccountTimes, clockOfMinutes, isTimeZone, minutesOfClock } from '../domain/watches/times.ts'
import { refusalOfAddress, shownAddress, testChannel } from '../jobs/notifications/channel-checks.ts'
import type { Notifications } from '../jobs/notifications/settings.ts'
import type { Database } from '../storage/database.ts'
import {
  type ChannelKind,
  channelKinds,
  type Digest,
  digests,
  type WebhookShape,
  webhookShapes,
} from '../vocabulary/watches.ts'
import { readMuted } from './account-watches.ts'
import { type Caller, expectOwn, expectScope, recordWriteOf, writeOf } from './caller.ts'
import { compileBody } from './input.ts'
import { Problem, refuseInput, storeFailuresAsProblems } from './problem.ts'

/** Most channels of an account. */
const maxChannels = 20

const readChannel = compileBody(
  z.strictObject({
    /** Chosen by who asks: asked for again, nothing is made twice. */
    channelId: z.uuid({ error: 'must be a UUID that you made for it' }),
    kind: z.enum(channelKinds),
    address: z.string().trim().min(1).max(2_000).optional(),
    shape: z.enum(webhookShapes).optional(),
    digest: z.enum(digests).optional(),
  }),
)

const Clock = z.string().refine((text) => minutesOfClock(text) !== undefined, 'must be a time such as 07:30')
const readTimes = compileBody(
  z.strictObject({
    timeZone: z.string().max(100).refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
    quietHours: z.strictObject({ from: Clock, until: Clock }).nullable(),
  }),
)

/** A channel in the form shown to its account: its secrets are not among it. */
export interface ChannelShown extends Pick<Channel, 'kind' | 'shape' | 'digest'> {
  channelId: string
  /** Of a webhook its host alone; null for a feed. */
  address: string | null
  mutedAt: string | null
  /** Events that wait to be sent, and those that were given up. */
  pending: number
  dead: number
  lastError: string | null
  /** When it is tried again after a failure. */
  retryAt: string | null
  testedAt: string | null
  testError: string | null
}

export interface TimesShown {
  timeZone: string
  /** Between which nothing is sent; null for none. */
  quietHours: { from: string; until: string } | null
}

export interface ChannelsShown {
  items: ChannelShown[]
  times: TimesShown
  /** Why no mail can be sent; null where it can. */
  noMail: string | null
  /** Why nothing is sent to anybody, as in the demo; null where it is. */
  notSent: string | null
}

/** A new channel. Its secret is in this answer alone. */
export interface ChannelMade {
  channelId: string
  /** False where the account had it already: it has the new form or digest, and its secret is not told again. */
  isNew: boolean
  /** What signs the messages of a new webhook, or the path of a new feed; null for mail. */
  secret: string | null
}

/** How an account is told, and when: for its people at the pages, by the functions of the commands. */
export class AccountChannels {
  readonly #db: Database
  readonly #notifications: Notifications

  constructor(db: Database, notifications: Notifications) {
    this.#db = db
    this.#notifications = notifications
  }

  /** Active channels, oldest first, with the times. @throws Problem `scope-missing` */
  async list(caller: Caller): Promise<ChannelsShown> {
    expectScope(caller, 'context:read')
    const { mail, notSent } = this.#notifications
    return storeFailuresAsProblems(async () => ({
      items: (await listChannels(this.#db, undefined, caller.accountId)).map(shown),
      times: timesShown(await accountTimesOf(this.#db, caller.accountId)),
      noMail: typeof mail === 'string' ? mail : null,
      notSent: notSent ?? null,
    }))
  }

  /** @throws Problem `scope-missing`, `invalid-request` */
  async add(caller: Caller, body: unknown): Promise<ChannelMade> {
    expectScope(caller, 'content:write')
    const asked = readChannel(body)
    const { channelId, kind, address = '', shape = 'generic', digest = 'immediate' } = asked
    this.#expectFit(asked)
    const { accountId } = caller
    return writeOf(this.#db, caller, async (transaction) => {
      const { active, isOwn, isUsed } = await roomForChannel(transaction, accountId, channelId)
      if (isOwn) return { channelId, isNew: false, secret: null }
      if (isUsed) refuseInput([{ pointer: '/body/channelId', message: 'was used before: make another one' }])
      const { wayId, secret } = await makeChannel(transaction, accountId, {
        channelId,
        kind,
        address,
        shape,
        digest,
      })
      const isNew = wayId === channelId.toLowerCase()
      if (isNew && active >= maxChannels)
        throw new Problem(
          'invalid-request',
          `An account has at most ${maxChannels} channels. Nothing was stored: remove one.`,
        )
      await recordWriteOf(transaction, caller, {
        operation: 'ways add',
        input: { channelId: wayId, kind, shape: asked.shape, digest: asked.digest },
        outcome: isNew ? 'created' : 'known',
      })
      return { channelId: wayId, isNew, secret: isNew ? secret : null }
    })
  }

  /** @throws Problem `scope-missing`, `invalid-request`, `route-not-found` */
  async mute(caller: Caller, channelId: string, body: unknown): Promise<void> {
    expectScope(caller, 'content:write')
    const { muted } = readMuted(body)
    await writeOf(this.#db, caller, async (transaction) => {
      await expectOwn('channel', channelId, (id) => muteChannel(transaction, id, muted, caller.accountId))
      await recordWriteOf(transaction, caller, {
        operation: 'channels mute',
        input: { channelId, off: !muted },
        outcome: 'done',
      })
    })
  }

  /** @throws Problem `scope-missing`, `route-not-found` */
  async remove(caller: Caller, channelId: string): Promise<void> {
    expectScope(caller, 'content:write')
    await writeOf(this.#db, caller, async (transaction) => {
      await expectOwn('channel', channelId, (id) => removeChannel(transaction, id, caller.accountId))
      await recordWriteOf(transaction, caller, {
        operation: 'ways remove',
        input: { channelId },
        outcome: 'removed',
      })
    })
  }

  /**
   * Sends a made-up event: of all channels of an account one in ten seconds, whoever asks. A double click sends one.
   * @returns why it did not arrive; null where it did
   * @throws Problem `scope-missing`, `route-not-found`, `invalid-request` for a feed, `rate-limited`
   */
  async test(caller: Caller, channelId: string): Promise<{ failure: string | null }> {
    expectScope(caller, 'content:write')
    const channel = await storeFailuresAsProblems(() =>
      expectOwn('channel', channelId, (id) => channelOf(this.#db, id, caller.accountId)),
    )
    if (channel.kind === 'feed')
      throw new Problem('invalid-request', 'A feed is sent nothing: open its address in a reader.')
    if (!(await storeFailuresAsProblems(() => claimTest(this.#db, channel))))
      throw new Problem(
        'rate-limited',
        'Your account tested a channel a moment ago, this or another. Try again in ten seconds.',
        { retryAfterSeconds: 10 },
      )
    const failure = await testChannel(this.#db, this.#notifications, channel, new AbortController().signal)
    await writeOf(this.#db, caller, (transaction) =>
      recordWriteOf(transaction, caller, {
        operation: 'watches test',
        input: { channelId },
        outcome: failure === undefined ? 'done' : 'failed',
      }),
    )
    return { failure: failure ?? null }
  }

  /**
   * Sends what a channel was given up on again, with the next look of a worker.
   * @returns how many events that are
   * @throws Problem `scope-missing`, `route-not-found`
   */
  async resend(caller: Caller, channelId: string): Promise<{ events: number }> {
    expectScope(caller, 'content:write')
    return writeOf(this.#db, caller, async (transaction) => {
      const { wayId } = await expectOwn('channel', channelId, (id) =>
        channelOf(transaction, id, caller.accountId),
      )
      const events = await resendDeadDeliveries(transaction, { wayId })
      await recordWriteOf(transaction, caller, {
        operation: 'watches resend',
        input: { channelId, events },
        outcome: 'done',
      })
      return { events }
    })
  }

  /** Sets the time zone and the quiet hours. @throws Problem `scope-missing`, `invalid-request` */
  async setTimes(caller: Caller, body: unknown): Promise<TimesShown> {
    expectScope(caller, 'content:write')
    const { timeZone, quietHours } = readTimes(body)
    const minutes = (clock: string | undefined) => minutesOfClock(clock ?? '') ?? null
    const times = { timeZone, quietFrom: minutes(quietHours?.from), quietUntil: minutes(quietHours?.until) }
    await writeOf(this.#db, caller, async (transaction) => {
      await setAccountTimes(transaction, caller.accountId, times)
      await recordWriteOf(transaction, caller, { operation: 'watches times', input: times, outcome: 'done' })
    })
    return timesShown(times)
  }

  #expectFit({ kind, address, shape, digest }: ReturnType<typeof readChannel>): void {
    const refuse = (field: string, message: string) => refuseInput([{ pointer: `/body/${field}`, message }])
    if (shape !== undefined && kind !== 'webhook') refuse('shape', 'belongs to webhooks')
    if (digest !== undefined && kind !== 'email') refuse('digest', 'belongs to e-mail')
    if (kind === 'feed') {
      if (address !== undefined) refuse('address', 'is none of a feed, which is asked')
    } else {
      if (address === undefined) refuse('address', 'is missing')
      const why = refusalOfAddress(this.#notifications, kind, address ?? '')
      if (why) refuse('address', why)
    }
  }
}

async function makeChannel(
  db: Database,
  accountId: string,
  {
    channelId,
    kind,
    address,
    shape,
    digest,
  }: { channelId: string; kind: ChannelKind; address: string; shape: WebhookShape; digest: Digest },
): Promise<{ wayId: string; secret: string | null }> {
  if (kind === 'feed') {
    const { wayId, token } = await addFeed(db, accountId, channelId)
    return { wayId, secret: `/feeds/${token}.atom` }
  }
  if (kind === 'email')
    return { wayId: await addMail(db, accountId, { address, digest }, channelId), secret: null }
  const wayId = await addWebhook(db, accountId, { address, shape }, channelId)
  return { wayId, secret: await signingSecret(db, wayId) }
}

const shown = (channel: ChannelListed): ChannelShown => ({
  channelId: channel.wayId,
  kind: channel.kind,
  shape: channel.shape,
  digest: channel.digest,
  address: shownAddress(channel),
  mutedAt: channel.mutedAt?.toISOString() ?? null,
  pending: channel.pending,
  dead: channel.dead,
  lastError: channel.lastError,
  retryAt: channel.retryAt?.toISOString() ?? null,
  testedAt: channel.testedAt?.toISOString() ?? null,
  testError: channel.testError,
})

const timesShown = ({ timeZone, quietFrom, quietUntil }: AccountTimes): TimesShown => ({
  timeZone,
  quietHours:
    quietFrom === null || quietUntil === null
      ? null
      : { from: clockOfMinutes(quietFrom), until: clockOfMinutes(quietUntil) },
})
