import { setTimeout } from 'node:timers/promises'
import type { z } from 'zod'
import { LimitReached } from '../domain/accounts/limits.ts'
import { accountNamed } from '../domain/accounts/queries.ts'
import { evaluateWatches, hasNews } from '../domain/watches/evaluate.ts'
import { addWatch, eventNumberAt, eventsAfter, listWatches, removeWatch } from '../domain/watches/queries.ts'
import { type WatchDefinition, WatchDefinition as WatchReader } from '../domain/watches/watch.ts'
import { statedTime } from '../ingest/times.ts'
import { usualUrl } from '../jobs/telling/settings.ts'
import type { OperatorContext } from './operator-context.ts'
import { refusesControl } from './plain-text.ts'
import { isUuid } from './uuid-argument.ts'

export interface AddWatchOptions {
  account: string
  kind: string
  [field: string]: unknown
}

/** Adds a watch of an account. Standard output carries its id alone, for scripts. */
export async function addWatchCommand(
  { db, terminal }: OperatorContext,
  { account, ...given }: AddWatchOptions,
): Promise<0 | 1> {
  const accountId = await namedAccount({ db, terminal }, account)
  if (accountId === undefined) return 1
  const parsed = WatchReader.safeParse(given)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) terminal.note(refusal(issue, String(given.kind)))
    return 1
  }
  if ('term' in parsed.data && refusesControl(terminal, { term: parsed.data.term })) return 1
  const added = await addWatch(db, accountId, parsed.data, false).catch((error: unknown) => {
    if (!(error instanceof LimitReached)) throw error
    terminal.note(error.message)
  })
  if (!added) return 1
  const { watchId, isNew } = added
  terminal.note(isNew ? `Watching ${inWords(parsed.data)}.` : 'The account watches this already.')
  terminal.out(watchId)
  return 0
}

function refusal(issue: z.core.$ZodIssue, kind: string): string {
  if (issue.code === 'unrecognized_keys')
    return `A watch of the kind ${kind} does not take ${issue.keys.map((key) => `--${key}`).join(', ')}.`
  return `--${issue.path.join('.')}: ${issue.message}`
}

/** Reports an account that does not exist, and returns undefined. */
export async function namedAccount(
  { db, terminal }: Pick<OperatorContext, 'db' | 'terminal'>,
  account: string,
): Promise<string | undefined> {
  const found = await accountNamed(db, account)
  if (found === undefined)
    terminal.note(`No account is named "${account}"; rivalscope keys create makes one with its first key.`)
  return found
}

/** Such as `top 3, 10, 50 of rivals in charts of us`. */
function inWords(watch: WatchDefinition): string {
  const { kind } = watch
  const of = 'app' in watch ? ` of ${watch.app}` : ''
  const country = 'country' in watch && watch.country ? ` in ${watch.country}` : ''
  if (!('in' in watch)) return `${kind}${of}${country}`
  const how = kind === 'top' ? ` ${watch.places.join(', ')}` : kind === 'moved' ? ` by ${watch.by}` : ''
  const where =
    watch.term === undefined
      ? [watch.chart, watch.category, watch.device].filter((part) => part !== undefined).join(' ') || watch.in
      : `"${watch.term}"`
  return `${kind}${how}${of}${country}, ${where}`
}

/** Standing watches with what came of them. */
export async function listWatchesCommand(
  { db, terminal }: OperatorContext,
  { account, json }: { account?: string; json?: boolean },
): Promise<0 | 1> {
  const watches = await listWatches(db, account)
  if (json) terminal.out(JSON.stringify(watches))
  else if (watches.length === 0) terminal.out('Nothing is watched: begin with rivalscope watches add.')
  else for (const watch of watches) terminal.out(watchLine(watch))
  return 0
}

function watchLine(watch: Awaited<ReturnType<typeof listWatches>>[number]): string {
  const { watchId, account, definition, events, evaluatedAt, lastError, rankings, fromConfiguration } = watch
  const state = lastError
    ? `failed: ${lastError}`
    : rankings === 0
      ? 'nothing of it is stored yet'
      : evaluatedAt
        ? `looked at ${evaluatedAt.toISOString().slice(0, 16)}Z`
        : 'not looked at yet'
  const from = fromConfiguration ? ', from the configuration' : ''
  return `${watchId}  ${account}  ${inWords(definition)}  ${events} events  ${state}${from}`
}

/** Removes a watch; what it told stays in the feed. */
export async function removeWatchCommand(
  { db, terminal }: OperatorContext,
  { watchId }: { watchId: string },
): Promise<0 | 1> {
  if (isUuid(watchId) && (await removeWatch(db, watchId))) {
    terminal.out(`removed ${watchId}`)
    return 0
  }
  terminal.note(`No watch has the id "${watchId}"; rivalscope watches list names them.`)
  return 1
}

export interface FollowOptions {
  account?: string
  since?: string
  once?: boolean
  /** That of the configuration when left out. */
  publicUrl?: string
  json?: boolean
}

const readAtOnce = 500
const lookEveryMs = 1_000

/**
 * Prints events as they come, until it is interrupted: a line each, or NDJSON. Looks at what was stored itself, so that no other
 * process has to run.
 */
export async function followCommand(
  { db, terminal, telling, signal }: OperatorContext,
  { account, since, once, publicUrl = telling.publicUrl ?? usualUrl, json }: FollowOptions,
): Promise<0 | 1> {
  const accountId = account === undefined ? undefined : await namedAccount({ db, terminal }, account)
  if (account !== undefined && accountId === undefined) return 1
  const from = since === undefined ? undefined : statedTime(since)?.at
  let last = await eventNumberAt(db, from)
  for (;;) {
    if (await hasNews(db)) await evaluateWatches(db, signal)
    for (;;) {
      const events = await eventsAfter(db, last, accountId, readAtOnce)
      for (const event of events) {
        const link = `${publicUrl.replace(/\/+$/, '')}${event.page}`
        const { eventNumber, page, ...told } = event
        terminal.out(
          json
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
}
