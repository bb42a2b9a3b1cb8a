import { z } from 'zod'
import { clockOfMinutes, minutesOfClock } from '../domain/watches/times.ts'
import { defaultUrl, TimeZone } from '../jobs/notifications/settings.ts'
import { isUuid } from '../vocabulary/ids.ts'
import { channelKinds, digests, webhookShapes } from '../vocabulary/watches.ts'
import { command, printList, Refusal } from './command.ts'
import { flag, given, type Input } from './field-help.ts'
import { jsonFlag, Text } from './fields.ts'
import type { OperatorContext } from './operator-context.ts'
import { accountFilterOption, accountOption } from './watches.ts'

/** Commands about how accounts are notified of what they watch. */

const newChannel = {
  kind: given('<kind>', '', z.enum(channelKinds)),
  address: given('<address>', 'URL of the webhook, or where mail goes', Text.exactOptional()),
  account: accountOption,
  shape: given(
    '<shape>',
    'whose format a webhook takes; generic when left out',
    z.enum(webhookShapes).exactOptional(),
  ),
  digest: given('<when>', 'when mail is sent; immediate when left out', z.enum(digests).exactOptional()),
}

export const channelCommands = {
  /** Standard output has only the secret: the signing secret of a webhook, the address of a feed, or for e-mail the id. */
  'channels add': command({
    recordedAs: 'ways add',
    writes: true,
    asksSources: true,
    input: newChannel,
    places: ['kind', 'address'],
    examples: [
      'rivalscope channels add webhook https://example.com/rivals',
      'rivalscope channels add email me@example.com --digest daily',
      'rivalscope channels add feed',
    ],
    async perform(context, input) {
      const { db, terminal, notifications } = context
      const { accountIdOfName } = await import('./resolve-names.ts')
      const { addFeed, addMail, addWebhook, signingSecret } = await import('../domain/watches/channels.ts')
      await expectFit(context, input)
      const accountId = await accountIdOfName(db, input.account)
      const { kind, address = '', shape = 'generic', digest = 'immediate' } = input
      if (kind === 'feed') {
        const { token } = await addFeed(db, accountId)
        terminal.note('Whoever has this address reads the feed. It is not shown again.')
        terminal.out(`${notifications.publicUrl ?? defaultUrl}/feeds/${token}.atom`)
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
    },
  }),

  /** Addresses of webhooks are shortened, since many are secrets. */
  'channels list': command({
    input: { account: accountFilterOption, json: jsonFlag },
    async perform(context, { account, json: jsonFlag }) {
      const { listChannels } = await import('../domain/watches/channels.ts')
      const { shownAddress } = await import('../jobs/notifications/channel-checks.ts')
      const found = await listChannels(context.db, account)
      const channels = found.map((channel) => ({ ...channel, address: shownAddress(channel) }))
      return printList(context, channels, {
        json: jsonFlag,
        none: 'No channel yet: begin with rivalscope channels add.',
        line: ({ wayId, account: name, kind, digest, address, pending, dead, lastError, mutedAt }) =>
          `${wayId}  ${name}  ${kind}${digest ? `, ${digest}` : ''}  ${address ?? '-'}  ${pending} waiting, ${dead} dead${mutedAt ? ', muted' : ''}${lastError ? `  failing: ${lastError}` : ''}`,
      })
    },
  }),

  /** Pending deliveries are not sent. */
  'channels remove': command({
    recordedAs: 'ways remove',
    writes: true,
    input: { wayId: given('<wayId>', '', Text) },
    places: ['wayId'],
    async perform({ db, terminal }, { wayId }) {
      const { removeChannel } = await import('../domain/watches/channels.ts')
      if (!isUuid(wayId) || !(await removeChannel(db, wayId)))
        throw new Refusal(`No channel has the id "${wayId}"; rivalscope channels list names them.`)
      terminal.out(`removed ${wayId}`)
      return 0
    },
  }),

  /** What happens meanwhile is not sent later. */
  'channels mute': command({
    writes: true,
    input: { wayId: given('<wayId>', '', Text), off: flag('send again') },
    places: ['wayId'],
    async perform({ db, terminal }, { wayId, off = false }) {
      const { muteChannel } = await import('../domain/watches/channels.ts')
      if (!isUuid(wayId) || !(await muteChannel(db, wayId, !off)))
        throw new Refusal(`No channel has the id "${wayId}"; rivalscope channels list names them.`)
      terminal.out(`${off ? 'no longer muted' : 'muted'} ${wayId}`)
      return 0
    },
  }),

  /** Sends a made-up event through each channel of an account, at once, and prints the results. */
  'watches test': command({
    writes: true,
    asksSources: true,
    input: { account: accountOption },
    async perform({ db, terminal, notifications, signal }, { account }) {
      const { accountIdOfName } = await import('./resolve-names.ts')
      const { listChannels } = await import('../domain/watches/channels.ts')
      const { shownAddress, testChannel } = await import('../jobs/notifications/channel-checks.ts')
      await accountIdOfName(db, account)
      const channels = (await listChannels(db, account)).filter(({ kind }) => kind !== 'feed')
      if (channels.length === 0)
        throw new Refusal(`The account ${account} has no channel that is sent anything.`)
      let failed = false
      for (const channel of channels) {
        const failure = await testChannel(db, notifications, channel, signal)
        if (failure !== undefined) failed = true
        terminal.out(`${channel.wayId}  ${channel.kind}  ${shownAddress(channel)}  ${failure ?? 'arrived'}`)
      }
      return failed ? 1 : 0
    },
  }),

  'watches times': command({
    writes: true,
    input: {
      account: accountOption,
      timeZone: given('<zone>', 'such as Europe/Berlin', TimeZone),
      quiet: given('<hours>', 'such as 22:00-07:30; none when left out', Text.exactOptional()),
    },
    async perform({ db, terminal }, { account, timeZone, quiet }) {
      const { accountIdOfName } = await import('./resolve-names.ts')
      const { setAccountTimes } = await import('../domain/watches/channels.ts')
      const [from, until] = quiet?.split('-').map(minutesOfClock) ?? []
      if (quiet !== undefined && (from === undefined || until === undefined || quiet.split('-').length !== 2))
        throw new Refusal(`"${quiet}" are no hours such as 22:00-07:30.`)
      const accountId = await accountIdOfName(db, account)
      await setAccountTimes(db, accountId, { timeZone, quietFrom: from ?? null, quietUntil: until ?? null })
      const hours =
        from === undefined || until === undefined
          ? 'no quiet hours'
          : `quiet from ${clockOfMinutes(from)} to ${clockOfMinutes(until)}`
      terminal.out(`${account}: ${timeZone}, ${hours}`)
      return 0
    },
  }),

  /** Deliveries of events through each channel, newest first. */
  'watches deliveries': command({
    input: { account: accountFilterOption, dead: flag('only those that were given up'), json: jsonFlag },
    async perform(context, { account, dead, json: jsonFlag }) {
      const { listDeliveries } = await import('../domain/watches/deliveries.ts')
      const found = await listDeliveries(context.db, {
        ...(account === undefined ? {} : { account }),
        ...(dead ? { state: 'dead' as const } : {}),
        limit: 1_000,
      })
      return printList(context, found, {
        json: jsonFlag,
        none: dead ? 'No delivery is dead.' : 'Nothing was to be delivered yet.',
        line: ({ deliveryId, account: name, kind, state, attempts, title, lastError }) =>
          `${deliveryId}  ${name}  ${kind}  ${state}  ${attempts} attempts  ${title}${lastError ? `  (${lastError})` : ''}`,
      })
    },
  }),

  'watches resend': command({
    writes: true,
    input: {
      deliveryId: given('<deliveryId>', '', Text.exactOptional()),
      account: given('<name>', 'all that are dead of this account', Text.exactOptional()),
    },
    places: ['deliveryId'],
    async perform({ db, terminal }, { deliveryId, account }) {
      if ((deliveryId === undefined) === (account === undefined))
        throw new Refusal('Give the id of a delivery, or --account for all that are dead.')
      if (deliveryId !== undefined && !isUuid(deliveryId))
        throw new Refusal(
          `No delivery has the id "${deliveryId}"; rivalscope watches deliveries --dead names them.`,
        )
      const { resendDeadDeliveries } = await import('../domain/watches/deliveries.ts')
      const again = await resendDeadDeliveries(db, {
        ...(deliveryId === undefined ? {} : { deliveryId }),
        ...(account === undefined ? {} : { account }),
      })
      if (again === 0) throw new Refusal('No such delivery is dead.')
      terminal.out(`${again} ${again === 1 ? 'delivery is' : 'deliveries are'} sent again`)
      return 0
    },
  }),
}

/** @throws Refusal where the options do not go together */
async function expectFit(
  { notifications }: OperatorContext,
  { kind, address, shape, digest }: Input<typeof newChannel>,
): Promise<void> {
  const { refusalOfAddress } = await import('../jobs/notifications/channel-checks.ts')
  if (shape !== undefined && kind !== 'webhook') throw new Refusal('--shape belongs to webhooks.')
  if (digest !== undefined && kind !== 'email') throw new Refusal('--digest belongs to e-mail.')
  if (kind === 'feed') {
    if (address !== undefined) throw new Refusal('A feed has no address: it is asked.')
  } else {
    if (address === undefined)
      throw new Refusal(`The address of the ${kind === 'email' ? 'mail' : 'webhook'} is missing.`)
    const why = refusalOfAddress(notifications, kind, address)
    if (why) throw new Refusal(why)
  }
}
