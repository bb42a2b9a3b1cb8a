import { type AccountLimits, listAccounts, setLimits } from '../domain/accounts/limits.ts'
import { counted, inFigures } from '../text/figures.ts'
import type { OperatorContext } from './operator-context.ts'
import { namedAccount } from './watch-commands.ts'

/** Accounts with their limits and what they keep, a line each. */
export async function listAccountsCommand(
  { db, terminal }: OperatorContext,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  const accounts = await listAccounts(db)
  if (json) terminal.out(JSON.stringify(accounts))
  else if (accounts.length === 0)
    terminal.out('No account yet: rivalscope keys create makes one with its first key.')
  else
    for (const { account, keys, use, requestsPerMinute, items, mediaBytes } of accounts)
      terminal.out(
        [
          account,
          counted(keys, 'valid key'),
          `${counted(use.items, 'item')}${of(items, inFigures)}`,
          `${bytes(use.mediaBytes)} of media${of(mediaBytes, bytes)}`,
          requestsPerMinute === null
            ? 'requests as the server limits them'
            : `${counted(requestsPerMinute, 'request')} a minute`,
        ].join('  '),
      )
  return 0
}

const of = (limit: number | null, words: (value: number) => string) =>
  limit === null ? '' : ` of ${words(limit)}`

export interface LimitAccountOptions {
  account: string
  /** A number or `none`, as the others. */
  requestsPerMinute?: string
  items?: string
  mediaBytes?: string
}

/** Sets limits of an account; servers notice within a second. What it already keeps stays. */
export async function limitAccountCommand(
  { db, terminal }: OperatorContext,
  { account, requestsPerMinute, items, mediaBytes }: LimitAccountOptions,
): Promise<0 | 1> {
  const limits: Partial<AccountLimits> = {
    ...(requestsPerMinute !== undefined && { requestsPerMinute: limitIn(requestsPerMinute) }),
    ...(items !== undefined && { items: limitIn(items) }),
    ...(mediaBytes !== undefined && { mediaBytes: bytesIn(mediaBytes) }),
  }
  if (Object.keys(limits).length === 0) {
    terminal.note('Give --requests-per-minute, --items or --media-bytes.')
    return 1
  }
  if (limits.requestsPerMinute === 0) {
    terminal.note('An account without requests is one without keys: rivalscope keys revoke takes them back.')
    return 1
  }
  const accountId = await namedAccount({ db, terminal }, account)
  if (accountId === undefined) return 1
  await setLimits(db, accountId, limits)
  terminal.out(`limited ${account}`)
  return 0
}

const limitIn = (text: string) => (text === 'none' ? null : Number(text))

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Such as `5GB`, in decimal units. */
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
