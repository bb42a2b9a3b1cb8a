import { basename, resolve } from 'node:path'
import { keywordsPerApp } from '../contract/shapes/tracked-apps.ts'
import { accountNamed } from '../domain/accounts/queries.ts'
import { storeIdOfBundle } from '../domain/add-app/add-app.ts'
import { setRole, type TrackedAppRow, trackApp, trackedAppsOf } from '../domain/aso/tracking/tracked-apps.ts'
import { addKeywords, termAdvice } from '../domain/aso/tracking/tracked-keywords.ts'
import { exactReference } from '../domain/catalogue/search-plan.ts'
import type { Enqueue } from '../domain/work/ask-for-work.ts'
import {
  type AppReference,
  competitorsIn,
  keywordsIn,
  type ListedApp,
  type ListedKeyword,
} from '../imports/account-lists.ts'
import { type Input, inputsOf } from '../imports/input-file.ts'
import { RejectionFile } from '../imports/rejections.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { openQueue } from '../jobs/open-queue.ts'
import { enqueueOn } from '../jobs/queue.ts'
import type { Database } from '../storage/database.ts'
import type { TrackedRole } from '../vocabulary/app-relations.ts'
import { Refusal } from './command.ts'
import type { OperatorContext } from './operator-context.ts'

interface ListOptions {
  files: string[]
  account?: string
  country?: string
  encoding?: string
  rejected?: string
  json?: boolean
}

type Outcome = 'stored' | 'unchanged' | Rejection

/** An account whose list is imported. */
interface Importing {
  db: Database
  enqueue: Enqueue
  accountId: string
  note(text: string): void
}

/** Imports keywords of tracked apps from lists. Ends with a summary line. */
export function importKeywordsCommand(
  context: OperatorContext,
  { app, ...options }: ListOptions & { app?: string },
): Promise<0 | 1> {
  return importList(context, 'keywords', options, keywordsIn, (importing, listed) =>
    addListed(importing, listed, app, options.country),
  )
}

/** Tracks the apps of lists. Ends with a summary line. */
export function importCompetitorsCommand(
  context: OperatorContext,
  { role, ...options }: ListOptions & { role: TrackedRole },
): Promise<0 | 1> {
  return importList(context, 'competitors', options, competitorsIn, (importing, listed) =>
    trackListed(importing, listed, role, options.country),
  )
}

/** Rows that are written together. */
const batchRows = 200

async function importList<Listed extends { position: string }>(
  { store, db, terminal, directory, signal, stdin }: OperatorContext,
  kind: 'keywords' | 'competitors',
  { files, account = 'default', encoding, rejected, json }: ListOptions,
  listedIn: (input: Input, encoding: string | undefined) => AsyncGenerator<Listed | Rejection>,
  write: (importing: Importing, listed: readonly Listed[]) => Promise<Outcome[]>,
): Promise<0 | 1> {
  const accountId = await accountNamed(db, account)
  if (accountId === undefined) throw new Refusal(`There is no account "${account}".`)
  const counts = { read: 0, stored: 0, unchanged: 0, rejected: 0 }
  try {
    const inputs = await inputsOf(files, directory, stdin)
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    const path = resolve(directory, rejected ?? `rejected-${kind}-${stamp}.ndjson`)
    await using rejections = await RejectionFile.at(
      path,
      inputs.map(({ name }) => name),
    )
    await using queue = await openQueue(store, false, () => {})
    const notes: string[] = []
    const note = (text: string) => {
      notes.push(text)
      terminal.note(text)
    }
    const importing = { db, enqueue: enqueueOn(queue), accountId, note }
    for (const input of inputs) {
      const count = async (outcomes: readonly Outcome[]) => {
        for (const one of outcomes) {
          counts.read++
          if (one === 'stored' || one === 'unchanged') counts[one]++
          else {
            counts.rejected++
            await rejections.add(input.name, one)
          }
        }
      }
      let gathered: Listed[] = []
      for await (const listed of listedIn(input, encoding)) {
        signal.throwIfAborted()
        if ('reason' in listed) await count([listed])
        else gathered.push(listed)
        if (gathered.length < batchRows) continue
        await count(await write(importing, gathered))
        gathered = []
      }
      if (gathered.length > 0) await count(await write(importing, gathered))
    }
    const { first } = rejections
    if (first) {
      terminal.note(`First refused: ${basename(first.file)}, ${first.position}: ${first.reason}`)
      terminal.note(`Rejected records and why: ${path}`)
    }
    const summary = { kind, account, files: inputs.length, ...counts }
    terminal.out(
      json
        ? JSON.stringify({ ...summary, rejectedFile: first ? path : null, firstRejection: first, notes })
        : summaryLine(summary),
    )
    return counts.read > 0 && counts.rejected === counts.read ? 1 : 0
  } catch (error) {
    const why = signal.aborted
      ? 'Interrupted'
      : `The import failed: ${error instanceof Error ? error.message : String(error)}`
    throw new Refusal(`${why}. What was stored stays; run it again to go on.`, 1, { cause: error })
  }
}

function summaryLine(counted: {
  kind: 'keywords' | 'competitors'
  account: string
  files: number
  read: number
  stored: number
  unchanged: number
  rejected: number
}): string {
  const { kind, account, files, read, stored, unchanged, rejected } = counted
  const of = kind === 'keywords' ? 'keywords' : 'apps'
  const from = `${files} ${files === 1 ? 'file' : 'files'}`
  return `${kind}: read ${read}, stored ${stored}, unchanged ${unchanged}, rejected ${rejected} ${of} for ${account} from ${from}${read > 0 && stored === 0 && rejected < read ? ' (nothing new)' : ''}`
}

/** All apps that an account tracks: their number is limited as that of its items. */
async function trackedBy({ db, accountId }: Importing): Promise<TrackedAppRow[]> {
  const all: TrackedAppRow[] = []
  for (;;) {
    const last = all.at(-1)
    const page = await trackedAppsOf(
      db,
      accountId,
      { role: undefined, country: undefined },
      { limit: 100, after: last && { role: last.role, appId: last.appId } },
    )
    all.push(...page)
    if (page.length < 100) return all
  }
}

async function storeIdOf({ db }: Importing, app: AppReference): Promise<string | Refused> {
  if ('storeId' in app) return app.storeId
  const storeId = await storeIdOfBundle(db, app.bundleId)
  return (
    storeId ?? {
      reason: `no stored app has the bundle id ${app.bundleId}: name it by its App Store id or address`,
    }
  )
}

type Refused = Pick<Rejection, 'reason'>

/**
 * Adds the keywords of a list, each to the tracked app that its row or the command names, or to the only own app. In a storefront in
 * which that app is not tracked yet, it is tracked with the role it has elsewhere.
 * @returns the outcome of each, in order
 */
async function addListed(
  importing: Importing,
  listed: readonly ListedKeyword[],
  app: string | undefined,
  country: string | undefined,
): Promise<Outcome[]> {
  const { db, accountId } = importing
  const given = app === undefined ? undefined : givenApp(app)
  const tracked = await trackedBy(importing)
  const outcomes: Outcome[] = []
  const places = new Map<string, { keyword: ListedKeyword; index: number }[]>()
  for (const [index, keyword] of listed.entries()) {
    const found = await appFor(importing, tracked, keyword.app ?? given, keyword.country ?? country)
    if (typeof found === 'string') places.set(found, [...(places.get(found) ?? []), { keyword, index }])
    else outcomes[index] = { position: keyword.position, ...found, record: keyword.term }
  }
  const advice = termAdvice(keywordsPerApp)
  for (const [appId, keywords] of places) {
    const done = await addKeywords(
      db,
      accountId,
      appId,
      keywords.map(({ keyword: { term, tags, note } }) => ({ term, tags, note })),
      keywordsPerApp,
    )
    for (const [at, { keyword, index }] of keywords.entries()) {
      const one = done?.outcomes[at]
      outcomes[index] = !one
        ? { position: keyword.position, reason: 'the app is tracked no longer', record: keyword.term }
        : 'keyword' in one
          ? one.outcome === 'added' || one.isNoted
            ? 'stored'
            : 'unchanged'
          : {
              position: keyword.position,
              reason: `${one.outcome}: ${advice[one.outcome]}`,
              record: keyword.term,
            }
    }
  }
  return outcomes
}

function givenApp(text: string): AppReference {
  const app = exactReference(text)
  if (!app) throw new Error(`--app "${text}" is neither an App Store id, a bundle id nor an App Store address`)
  return app
}

/** The tracked app that a keyword is for, or why there is none. */
async function appFor(
  importing: Importing,
  tracked: TrackedAppRow[],
  named: AppReference | undefined,
  country: string | undefined,
): Promise<string | Refused> {
  const storeId = named ? await storeIdOf(importing, named) : onlyOwn(tracked)
  if (typeof storeId !== 'string') return storeId
  const ofApp = tracked.filter((one) => one.storeId === storeId)
  const [first, second] = country === undefined ? ofApp : ofApp.filter((one) => one.country === country)
  if (first && second)
    return {
      reason: `the app ${storeId} is tracked in ${ofApp.map((one) => one.country).join(', ')}: name the storefront with --country, or in a column`,
    }
  if (first) return first.appId
  const [elsewhere] = ofApp
  if (!elsewhere || country === undefined)
    return {
      reason: `the account tracks no app ${storeId}: track it first, as with rivalscope track-aso-app --app ${storeId} --role own`,
    }
  const { db, enqueue, accountId, note } = importing
  const { role } = elsewhere
  const { appId } = await trackApp(db, enqueue, { accountId, app: storeId, storeId, country, role })
  tracked.push({ ...elsewhere, appId, country })
  note(`${elsewhere.name ?? storeId} is tracked in ${country} now, for its keywords there.`)
  return appId
}

function onlyOwn(tracked: readonly TrackedAppRow[]): string | Refused {
  const own = [
    ...new Map(tracked.filter(({ role }) => role === 'own').map((one) => [one.storeId, one])).values(),
  ]
  const [only, ...others] = own
  if (only && others.length === 0) return only.storeId
  return {
    reason: only
      ? `nothing says which app it is a keyword of: name it with --app, such as ${own
          .slice(0, 5)
          .map(({ storeId, name }) => `${storeId}${name ? ` (${name})` : ''}`)
          .join(', ')}`
      : 'the account tracks no own app: track it first, as with rivalscope track-aso-app --app ID --role own',
  }
}

/**
 * Tracks the apps of a list. Without a storefront it is that of the own apps, where they share one, and else `us`; one that is tracked
 * already keeps its role unless the list says another.
 * @returns the outcome of each, in order
 */
async function trackListed(
  importing: Importing,
  listed: readonly ListedApp[],
  role: TrackedRole,
  country: string | undefined,
): Promise<Outcome[]> {
  const { db, enqueue, accountId } = importing
  const own = (await trackedBy(importing)).filter((one) => one.role === 'own').map((one) => one.country)
  const usual = new Set(own).size === 1 ? own[0] : 'us'
  const outcomes: Outcome[] = []
  for (const { position, app, country: stated, role: told } of listed) {
    const storeId = await storeIdOf(importing, app)
    if (typeof storeId !== 'string') {
      outcomes.push({ position, ...storeId, record: app })
      continue
    }
    const storefront = stated ?? country ?? usual ?? 'us'
    const { appId, created } = await trackApp(db, enqueue, {
      ...{ accountId, app: storeId, storeId },
      ...{ country: storefront, role: told ?? role },
    })
    const isOther = !created && told !== undefined && (await setRoleIfOther(importing, appId, told))
    outcomes.push(created || isOther ? 'stored' : 'unchanged')
  }
  return outcomes
}

async function setRoleIfOther(importing: Importing, appId: string, role: TrackedRole): Promise<boolean> {
  const found = (await trackedBy(importing)).find((one) => one.appId === appId)
  return found !== undefined && found.role !== role && setRole(importing.db, importing.accountId, appId, role)
}
