import { z } from 'zod'
import type { AuditEvent } from '../domain/accounts/audit.ts'
import type { AccountLimits } from '../domain/accounts/limits.ts'
import { searchSurfaceRow, searchSurfaces } from '../vocabulary/search-surfaces.ts'
import { command, printList, Refusal } from './command.ts'
import { flag, given } from './field-help.ts'
import { BytesOrNone, jsonFlag, LimitOrNone, Moment, Text } from './fields.ts'

export const accountCommands = {
  'accounts list': command({
    input: { json: jsonFlag },
    async perform(context, { json: jsonFlag }) {
      const { listAccounts } = await import('../domain/accounts/limits.ts')
      const { countWithNoun, formatNumber } = await import('../text/numbers.ts')
      return printList(context, await listAccounts(context.db), {
        json: jsonFlag,
        none: 'No account yet: rivalscope keys create makes one with its first key.',
        line: ({ account, keys, use, requestsPerMinute, items, mediaBytes }) =>
          [
            account,
            countWithNoun(keys, 'valid key'),
            `${countWithNoun(use.items, 'item')}${of(items, formatNumber)}`,
            `${bytes(use.mediaBytes)} of media${of(mediaBytes, bytes)}`,
            requestsPerMinute === null
              ? 'requests as the server limits them'
              : `${countWithNoun(requestsPerMinute, 'request')} a minute`,
          ].join('  '),
      })
    },
  }),

  /** Servers notice within a second. What the account already keeps stays. */
  'accounts limit': command({
    writes: true,
    input: {
      account: given('<account>', '', Text),
      requestsPerMinute: given('<n|none>', 'by all its keys and people together', LimitOrNone.exactOptional()),
      items: given(
        '<n|none>',
        'saved posts and ads, tracked apps, keywords and watches',
        LimitOrNone.exactOptional(),
      ),
      mediaBytes: given(
        '<bytes|none>',
        'of copies of what it saved, such as 500MB or 5GB',
        BytesOrNone.exactOptional(),
      ),
    },
    places: ['account'],
    examples: ['rivalscope accounts limit studio --requests-per-minute 600 --items 5000 --media-bytes 5GB'],
    async perform({ db, terminal }, { account, requestsPerMinute, items, mediaBytes }) {
      const limits: Partial<AccountLimits> = {
        ...(requestsPerMinute !== undefined && { requestsPerMinute: limitIn(requestsPerMinute) }),
        ...(items !== undefined && { items: limitIn(items) }),
        ...(mediaBytes !== undefined && { mediaBytes: bytesIn(mediaBytes) }),
      }
      if (Object.keys(limits).length === 0)
        throw new Refusal('Give --requests-per-minute, --items or --media-bytes.')
      if (limits.requestsPerMinute === 0)
        throw new Refusal(
          'An account without requests is one without keys: rivalscope keys revoke takes them back.',
        )
      const { accountIdOfName } = await import('./resolve-names.ts')
      const { setLimits } = await import('../domain/accounts/limits.ts')
      await setLimits(db, await accountIdOfName(db, account), limits)
      terminal.out(`limited ${account}`)
      return 0
    },
  }),

  /** The surface that workstations and keywords of the account show where a read names none. */
  'accounts surface': command({
    writes: true,
    input: {
      account: given('<account>', '', Text),
      surface: given('<name>', 'whose ranks it is shown', z.enum(searchSurfaces)),
    },
    places: ['account', 'surface'],
    examples: ['rivalscope accounts surface studio app-store-search'],
    async perform({ db, terminal }, { account, surface }) {
      const { accountIdOfName } = await import('./resolve-names.ts')
      const { chooseSurface } = await import('../domain/accounts/surface.ts')
      await chooseSurface(db, await accountIdOfName(db, account), surface)
      terminal.out(`${account} is shown ranks of ${searchSurfaceRow(surface).label}`)
      return 0
    },
  }),

  audit: command({
    input: {
      account: given('<name>', 'only what is about this account', Text.exactOptional()),
      from: given('<time>', 'only since then', Moment.exactOptional()),
      to: given('<time>', 'only before then', Moment.exactOptional()),
      json: flag('one JSON object per line, whole'),
    },
    async perform({ db, terminal, signal }, { account, from, to, json: jsonFlag }) {
      const { auditEvents } = await import('../domain/accounts/audit.ts')
      const { statedTime } = await import('../ingest/times.ts')
      const at = (text: string | undefined) => (text === undefined ? undefined : statedTime(text)?.at)
      let told = 0
      for await (const event of auditEvents(db, { account, from: at(from), to: at(to) })) {
        signal.throwIfAborted()
        terminal.out(jsonFlag ? JSON.stringify(event) : auditLine(event))
        told++
      }
      if (told === 0) terminal.note('Nothing was written that matches.')
      return 0
    },
  }),
}

const of = (limit: number | null, words: (value: number) => string) =>
  limit === null ? '' : ` of ${words(limit)}`

const limitIn = (text: string) => (text === 'none' ? null : Number(text))

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size such as `5GB`, in decimal units. */
function bytesIn(text: string): number | null {
  if (text.toLowerCase() === 'none') return null
  const [, value, unit = 'B'] = /^([\d.]+)\s?([a-z]*)$/i.exec(text) ?? []
  const power = units.findIndex((one) => one.toLowerCase() === (unit || 'B').toLowerCase())
  return Math.round(Number(value) * 1_000 ** power)
}

function bytes(value: number): string {
  const power = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3))
  return `${Number((value / 1_000 ** power).toPrecision(3))} ${units[power]}`
}

function auditLine({ at, door, actor, key, account, operation, outcome, subject }: AuditEvent): string {
  const who = key === null ? actor : `${actor} ${JSON.stringify(key)}`
  const about = Object.entries(subject).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [at.toISOString(), door.padEnd(12), outcome.padEnd(8), account ?? '-', who, operation, ...about].join(
    '  ',
  )
}
