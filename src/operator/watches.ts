import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { listWatches as readWatches } from '../domain/watches/queries.ts'
import { WatchDefinition } from '../domain/watches/watch.ts'
import { defaultUrl } from '../jobs/notifications/settings.ts'
import { chartKinds } from '../vocabulary/chart-kinds.ts'
import { devices } from '../vocabulary/devices.ts'
import { isUuid } from '../vocabulary/ids.ts'
import { storefrontCodes } from '../vocabulary/storefronts.ts'
import { watchKinds } from '../vocabulary/watches.ts'
import { command, printList, Refusal } from './command.ts'
import { flag, given } from './field-help.ts'
import { expectPrintable, jsonFlag, Moment, Storefront, Term, Text, WebAddress } from './fields.ts'

export const accountOption = given('<name>', 'account it belongs to', Text.default('default'))
export const accountFilterOption = given('<name>', 'only of this account', Text.exactOptional())
const Places = z.int().min(1).max(1_000)

const readAtOnce = 500
const lookEveryMs = 1_000

export const watchCommands = {
  /** Prints events as they occur, until interrupted. It evaluates watches itself, so that no other process has to run. */
  watch: command({
    input: {
      account: accountFilterOption,
      since: given(
        '<time>',
        'begin with those recorded from then on; with new ones when left out',
        Moment.exactOptional(),
      ),
      once: flag('end once all that there are were printed'),
      publicUrl: given(
        '<url>',
        'address that links lead to; that of the configuration when left out',
        WebAddress.exactOptional(),
      ),
      json: flag('as NDJSON'),
    },
    examples: ['rivalscope watch --json | jq .title'],
    async perform(
      { db, terminal, notifications, signal },
      { account, since, once, publicUrl = notifications.publicUrl ?? defaultUrl, json: jsonFlag },
    ) {
      const { accountIdOfName } = await import('./resolve-names.ts')
      const { evaluateWatches, hasNewEvidence } = await import('../domain/watches/evaluate.ts')
      const { eventNumberAt, eventsAfter } = await import('../domain/watches/queries.ts')
      const { statedTime } = await import('../ingest/times.ts')
      const accountId = account === undefined ? undefined : await accountIdOfName(db, account)
      const from = since === undefined ? undefined : statedTime(since)?.at
      let last = await eventNumberAt(db, from)
      for (;;) {
        if (await hasNewEvidence(db)) await evaluateWatches(db, signal)
        for (;;) {
          const events = await eventsAfter(db, last, accountId, readAtOnce)
          for (const event of events) {
            const link = `${publicUrl.replace(/\/+$/, '')}${event.page}`
            const { eventNumber, page, ...told } = event
            terminal.out(
              jsonFlag
                ? JSON.stringify({ ...told, link })
                : `${event.recordedAt.toISOString().slice(0, 19)}Z  ${event.account}  ${event.title}  ${link}`,
            )
            last = eventNumber
          }
          if (events.length < readAtOnce) break
        }
        if (once || signal.aborted) return 0
        await setTimeout(lookEveryMs, undefined, { signal }).catch(() => {})
        if (signal.aborted) return 0
      }
    },
  }),

  /** Standard output has only the id of the watch, for scripts. */
  'watches add': command({
    writes: true,
    input: {
      kind: given('<kind>', '', z.enum(watchKinds)),
      account: accountOption,
      app: given(
        '<app>',
        'App Store id, or own, rivals or tracked; rivals when left out',
        Text.exactOptional(),
      ),
      country: given('<cc>', 'storefront; us when left out', Storefront.exactOptional(), {
        usually: storefrontCodes,
      }),
      in: given(
        '<where>',
        'ranks of charts, or of tracked keywords; charts when left out',
        z.enum(['charts', 'keywords']).exactOptional(),
      ),
      chart: given('<name>', 'only this chart', z.enum(chartKinds).exactOptional()),
      category: given('<id>', 'only this Apple genre id', z.int().positive().max(999_999).exactOptional()),
      device: given('<name>', 'only this device', z.enum(devices).exactOptional()),
      advertiser: given(
        '<advertiser>',
        'of ads: one advertiser instead of apps, such as meta/104829173650281',
        Text.exactOptional(),
      ),
      term: given('<text>', 'only this keyword, tracked or not; with --in keywords', Term.exactOptional()),
      places: given('<n...>', 'of top: 3, 10 and 50 when left out', z.array(Places).exactOptional()),
      by: given('<n>', 'of moved: places between two captures; 10 when left out', Places.exactOptional()),
      hours: given(
        '<n>',
        'of source: how long it fails; 24 when left out',
        z.int().min(1).max(8_760).exactOptional(),
      ),
    },
    places: ['kind'],
    examples: [
      'rivalscope watches add top --app rivals --country us --places 3 10',
      'rivalscope watches add moved --app 553834731 --in keywords --by 5',
    ],
    async perform({ db, terminal }, { account, ...asked }) {
      const { accountIdOfName } = await import('./resolve-names.ts')
      const { LimitReached } = await import('../domain/accounts/limits.ts')
      const { addWatch } = await import('../domain/watches/queries.ts')
      const accountId = await accountIdOfName(db, account)
      const parsed = WatchDefinition.safeParse(asked)
      if (!parsed.success)
        throw new Refusal(parsed.error.issues.map((issue) => refusal(issue, asked.kind)).join('\n'))
      if ('term' in parsed.data) expectPrintable({ term: parsed.data.term })
      const { watchId, isNew } = await addWatch(db, accountId, parsed.data, false).catch((error: unknown) => {
        throw error instanceof LimitReached ? new Refusal(error.message) : error
      })
      terminal.note(isNew ? `Watching ${inWords(parsed.data)}.` : 'The account watches this already.')
      terminal.out(watchId)
      return 0
    },
  }),

  'watches list': command({
    input: { account: accountFilterOption, json: jsonFlag },
    async perform(context, { account, json: jsonFlag }) {
      const { listWatches } = await import('../domain/watches/queries.ts')
      const none = 'Nothing is watched: begin with rivalscope watches add.'
      return printList(context, await listWatches(context.db, { account }), {
        json: jsonFlag,
        none,
        line: watchLine,
      })
    },
  }),

  /** What it finds meanwhile stands in the history of the pages, and is not sent later. */
  'watches mute': command({
    writes: true,
    input: { watchId: given('<watchId>', '', Text), off: flag('tell again') },
    places: ['watchId'],
    async perform({ db, terminal }, { watchId, off = false }) {
      const { muteWatch } = await import('../domain/watches/queries.ts')
      if (!isUuid(watchId) || !(await muteWatch(db, watchId, !off)))
        throw new Refusal(`No watch has the id "${watchId}"; rivalscope watches list names them.`)
      terminal.out(`${off ? 'no longer muted' : 'muted'} ${watchId}`)
      return 0
    },
  }),

  /** Its past events stay in the feed. */
  'watches remove': command({
    writes: true,
    input: { watchId: given('<watchId>', '', Text) },
    places: ['watchId'],
    async perform({ db, terminal }, { watchId }) {
      const { removeWatch } = await import('../domain/watches/queries.ts')
      if (!isUuid(watchId) || !(await removeWatch(db, watchId)))
        throw new Refusal(`No watch has the id "${watchId}"; rivalscope watches list names them.`)
      terminal.out(`removed ${watchId}`)
      return 0
    },
  }),
}

function refusal(issue: z.core.$ZodIssue, kind: string): string {
  if (issue.code === 'unrecognized_keys')
    return `A watch of the kind ${kind} does not take ${issue.keys.map((key) => `--${key}`).join(', ')}.`
  return `--${issue.path.join('.')}: ${issue.message}`
}

/** A watch in words, such as `top 3, 10, 50 of rivals in charts of us`. */
function inWords(watch: WatchDefinition): string {
  const { kind } = watch
  const of = 'app' in watch ? ` of ${watch.app}` : 'advertiser' in watch ? ` of ${watch.advertiser}` : ''
  const country = 'country' in watch && watch.country ? ` in ${watch.country}` : ''
  if (!('in' in watch)) return `${kind}${of}${country}`
  const how = kind === 'top' ? ` ${watch.places.join(', ')}` : kind === 'moved' ? ` by ${watch.by}` : ''
  const where =
    watch.term === undefined
      ? [watch.chart, watch.category, watch.device].filter((part) => part !== undefined).join(' ') || watch.in
      : `"${watch.term}"`
  return `${kind}${how}${of}${country}, ${where}`
}

function watchLine(watch: Awaited<ReturnType<typeof readWatches>>[number]): string {
  const { watchId, account, definition, events, evaluatedAt, lastError, rankings, fromConfiguration, mutedAt } =
    watch
  const state = lastError
    ? `failed: ${lastError}`
    : rankings === 0
      ? 'nothing of it is stored yet'
      : evaluatedAt
        ? `looked at ${evaluatedAt.toISOString().slice(0, 16)}Z`
        : 'not looked at yet'
  const from = fromConfiguration ? ', from the configuration' : ''
  return `${watchId}  ${account}  ${inWords(definition)}  ${events} events  ${mutedAt ? 'muted, ' : ''}${state}${from}`
}
