import type { z } from 'zod'
import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAdOperations as contract } from '../../contract/paid-ads.ts'
import type { AdPreviewBody } from '../../contract/shapes/ad-imports.ts'
import { trackedStoreIds } from '../../domain/aso/tracking/tracked-apps.ts'
import type { ImportRun } from '../../domain/paid-ads/imports/import-run.ts'
import { type ImportArguments, rememberPreview } from '../../domain/paid-ads/imports/import-run.ts'
import { importRun } from '../../domain/paid-ads/imports/run-queries.ts'
import { retryRun, startPreviewedRun, startRun } from '../../domain/paid-ads/imports/start-run.ts'
import {
  type AdQuery,
  firstOfLast,
  lastDayOf,
  withQueryDefaults,
  yesterday,
} from '../../domain/paid-ads/search-plan.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import { filesOnly, missingToken } from '../../jobs/ad-imports/ask-page.ts'
import {
  type PreviewedImport,
  previewNow,
  previewPatienceMs,
  previewRecords,
} from '../../jobs/ad-imports/preview.ts'
import { packRecords, withoutTokens } from '../../jobs/ad-imports/read-records.ts'
import { withdrawRun } from '../../jobs/ad-imports/withdraw-records.ts'
import { activeHold, askableAt, distantTurn } from '../../jobs/collecting/ask-while-waiting.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import {
  type AdPlatform,
  type AskedPlatform,
  adIdForm,
  advertiserIdForm,
  askedLibraryRow,
  askedPlatform,
  isAsked,
  librarySource,
  searchSubjectsOf,
} from '../../vocabulary/ad-platforms.ts'
import { isUuid } from '../../vocabulary/ids.ts'
import { joinWithOr } from '../../vocabulary/join-with-or.ts'
import { supplierRow } from '../../vocabulary/suppliers.ts'
import { importRunShape, previewShape } from '../ad-import-shapes.ts'
import { admitUserEvidence, type Caller } from '../caller.ts'
import { resolveAppFilter } from '../creative-lists.ts'
import { type InputError, Problem, refuseInput, upstreamProblem } from '../problem.ts'

type C = typeof contract
type Run = Reply<C['admin_get_paid_ad_import']>

/** Queries the library; the returned function then stores the preview. */
export async function previewPaidAds(
  db: Database,
  collecting: CollectingClients,
  caller: Caller,
  body: Input<C['admin_preview_paid_ads']>,
): Promise<(db: Database) => Promise<Reply<C['admin_preview_paid_ads']>>> {
  const now = new Date()
  const asked = await askedFor(db, caller.accountId, body, now)
  if (asked.query === null) admitUserEvidence(caller)
  const preview = await look(db, collecting, asked)
  const shape = await previewShape(db, collecting, asked, preview)
  const kept = await toKeep(asked)
  return async (db) => {
    const { token, expiresAt } = await rememberPreview(db, caller.accountId, kept, now)
    return { ...shape, previewToken: token, expiresAt: expiresAt.toISOString() }
  }
}

async function look(db: Database, collecting: CollectingClients, asked: Asked): Promise<PreviewedImport> {
  const { platform, query, records } = asked
  if (query === null) return previewRecords(db, platform, records)
  const library = collecting.adLibraries[platform]
  if (!library) throw notConfigured(platform)
  const { pace } = collecting.sources[librarySource(askedPlatform(platform))]
  const held = await activeHold(db, pace)
  if (held) throw leftAlone(held)
  const turn = await distantTurn(db, pace, previewPatienceMs)
  if (turn) throw askedSeldom(turn)
  const looked = await previewNow(db, library, askedPlatform(platform), query)
  if ('preview' in looked) return looked.preview
  const until = await askableAt(db, pace, looked.cause)
  if (looked.failed === 'failed') throw upstreamProblem('upstream-failed', looked.message, until)
  throw until ? leftAlone(until) : upstreamProblem('upstream-timeout', looked.message, until)
}

const askedSeldom = (turn: Date) =>
  upstreamProblem(
    'upstream-failed',
    `The library is asked seldom, and next at ${turn.toISOString()}: preview again then. An import waits for its turn.`,
    turn,
  )

const leftAlone = (until: Date) =>
  upstreamProblem(
    'upstream-failed',
    `The library wants to be left alone until ${until.toISOString()}; preview again then.`,
    until,
  )

export async function importPaidAds(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  caller: Caller,
  body: Input<C['admin_import_paid_ads']>,
): Promise<Run> {
  const runId = await started(db, enqueue, collecting, caller, body)
  return importRunShape(db, collecting, await findRun(db, caller.accountId, runId))
}

async function started(
  db: Database,
  enqueue: Enqueue,
  { adLibraries }: CollectingClients,
  caller: Caller,
  { withdrawRunId, previewToken, platform, ...given }: Input<C['admin_import_paid_ads']>,
): Promise<string> {
  const now = new Date()
  if (withdrawRunId !== undefined)
    return withdrawn(db, caller, withdrawRunId, { previewToken, platform, ...given })
  const mayStart = ({ query, platform }: Pick<ImportArguments, 'query' | 'platform'>) => {
    if (query === null) admitUserEvidence(caller)
    return query === null || adLibraries[platform] !== undefined
  }
  if (previewToken !== undefined) {
    const beside = Object.entries({ platform, ...given }).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [{ pointer: `/body/${name}`, message: 'does not go together with previewToken' }],
    )
    if (beside.length > 0) refuseInput(beside)
    const run = await startPreviewedRun(db, enqueue, caller, previewToken, { now, mayStart })
    if (run === 'expired') throw expired()
    if ('missing' in run) throw notConfigured(run.missing)
    return run.runId
  }
  if (platform === undefined)
    refuseInput([{ pointer: '/body/platform', message: 'is needed without previewToken' }])
  const asked = await askedFor(db, caller.accountId, { platform, ...given }, now)
  if (!mayStart(asked)) throw notConfigured(platform)
  return startRun(db, enqueue, caller, await toKeep(asked))
}

/** Withdraws the evidence of an account's inline records. @returns the run */
async function withdrawn(
  db: Database,
  { accountId }: Caller,
  runId: string,
  given: Record<string, unknown>,
): Promise<string> {
  const beside = Object.entries(given).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [{ pointer: `/body/${name}`, message: 'does not go together with withdrawRunId' }],
  )
  if (beside.length > 0) refuseInput(beside)
  const { state } = await findRun(db, accountId, runId)
  if (state.query !== null)
    refuseInput([
      { pointer: '/body/withdrawRunId', message: 'is of a run that asked the library, whose answers stay' },
    ])
  await withdrawRun(db, runId, new Date())
  return runId
}

const expired = () =>
  new Problem('preview-expired', 'No preview of this account has this token, or it is older than 15 minutes.')

const notConfigured = (platform: AdPlatform) =>
  new Problem('source-not-configured', missingToken(askedPlatform(platform)))

async function toKeep({ platform, query, records }: Asked): Promise<ImportArguments> {
  return { platform, query, records: records && (await packRecords(records)) }
}

export async function getPaidAdImport(
  db: Database,
  collecting: CollectingClients,
  accountId: string,
  { runId }: Input<C['admin_get_paid_ad_import']>,
): Promise<Run> {
  return importRunShape(db, collecting, await findRun(db, accountId, runId))
}

export async function retryPaidAdImport(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  caller: Caller,
  { runId }: Input<C['admin_retry_paid_ad_import']>,
): Promise<Run> {
  const { accountId } = caller
  const { state, work } = await findRun(db, accountId, runId)
  if (state.query === null) admitUserEvidence(caller)
  const isEnded = work.status === 'failed' || work.status === 'partial'
  if (isEnded && state.query && !collecting.adLibraries[state.platform]) throw notConfigured(state.platform)
  if (!isEnded || !(await retryRun(db, enqueue, runId)))
    throw new Problem('not-retryable', `The run is ${work.status}; only failed and partial runs can go on.`)
  return importRunShape(db, collecting, await findRun(db, accountId, runId))
}

/** @throws Problem `import-run-not-found` */
async function findRun(db: Database, accountId: string, runId: string): Promise<ImportRun> {
  const run = await importRun(db, accountId, runId)
  if (run) return run
  throw new Problem('import-run-not-found', `This account has no import run with the id ${runId}.`)
}

type Body = z.output<typeof AdPreviewBody>

/** Validated arguments: a query with its defaults, or inline records without tokens. */
type Asked =
  | { platform: AdPlatform; query: AdQuery; records: null }
  | { platform: AdPlatform; query: null; records: Record<string, unknown>[] }

/** @throws Problem `invalid-request` naming every contradiction */
async function askedFor(
  db: Database,
  accountId: string,
  { platform, records, ...given }: Body,
  now: Date,
): Promise<Asked> {
  const query = withoutGaps(given)
  if (records) {
    refuseAny(Object.keys(query).map((name) => at(name, 'does not go together with records')))
    return { platform, query: null, records: withoutTokens(records) }
  }
  if (!isAsked(platform)) refuseInput([at('platform', `needs records. ${filesOnly(platform)}`)])
  refuseAny([...subjectErrors(platform, query), ...libraryErrors(platform, query, now)])
  const apps = query.apps && (await appsAsked(db, accountId, query.apps))
  return {
    platform,
    query: withQueryDefaults(platform, { ...query, ...(apps && { apps }) }, now),
    records: null,
  }
}

/** The App Store ids of apps; each is named as everywhere, or by the id under which the account tracks it. */
async function appsAsked(db: Database, accountId: string, apps: readonly string[]): Promise<string[]> {
  const tracked = await trackedStoreIds(db, accountId, apps.filter(isUuid))
  return resolveAppFilter(
    db,
    apps.map((app) => tracked.get(app.toLowerCase()) ?? app),
    '/body/apps',
  )
}

const at = (name: string, message: string): InputError => ({ pointer: `/body/${name}`, message })

function refuseAny(errors: InputError[]): void {
  if (errors.length > 0) refuseInput(errors)
}

function withoutGaps(given: Omit<Body, 'platform' | 'records'>): Partial<AdQuery> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function subjectErrors(platform: AskedPlatform, query: Partial<AdQuery>): InputError[] {
  const { label } = supplierRow(platform)
  const taken = searchSubjectsOf(platform)
  const notTaken = (['terms', 'apps', 'archiveIds'] as const).filter(
    (name) => query[name] !== undefined && !taken.includes(name),
  )
  if (notTaken.length > 0)
    return notTaken.map((name) =>
      at(name, `${label}'s library cannot be asked for it; it takes ${joinWithOr(taken)}`),
    )
  if (!taken.some((name) => query[name] !== undefined))
    return [at(taken[0] ?? 'terms', `is needed, or ${joinWithOr([...taken.slice(1), 'records'])}`)]
  return archiveIdErrors(platform, query.archiveIds ?? []).concat(termErrors(query.terms))
}

const archiveIdErrors = (platform: AskedPlatform, archiveIds: readonly string[]): InputError[] =>
  archiveIds.flatMap((id, index) =>
    adIdForm(platform).test(id) ? [] : [at(`archiveIds/${index}`, 'is no id of this library')],
  )

function termErrors(terms: readonly string[] | undefined): InputError[] {
  return (terms ?? []).flatMap((term, index) =>
    term.trim() === '' ? [at(`terms/${index}`, 'holds nothing to look for')] : [],
  )
}

/** Why the library of a platform would refuse a query; empty where it would not. */
function libraryErrors(platform: AskedPlatform, query: Partial<AdQuery>, now: Date): InputError[] {
  const { advertiserIds = [], terms = [], countries = [], deliveredFrom, deliveredTo } = query
  const { label } = supplierRow(platform)
  const library = askedLibraryRow(platform)
  const { longestTerm = Number.POSITIVE_INFINITY, firstDay, endsYesterday, countries: answersFor } = library
  const last = endsYesterday ? yesterday(now) : lastDayOf(platform, now)
  const first = firstDay ?? firstOfLast(platform, library.lastDays?.choices.at(-1), now)
  const tooLong = terms.flatMap((term, index) =>
    term.length > longestTerm
      ? [at(`terms/${index}`, `has more than the ${longestTerm} characters ${label} takes`)]
      : [],
  )
  const elsewhere = countries.flatMap((country, index) =>
    !answersFor || answersFor.codes.includes(country)
      ? []
      : [
          at(
            `countries/${index}`,
            `${label}'s library has no ads of ${country}; it covers ${answersFor.cover}`,
          ),
        ],
  )
  return [
    ...advertiserIds.flatMap((id, index) =>
      advertiserIdForm(platform).test(id)
        ? []
        : [at(`advertiserIds/${index}`, `is no ${library.advertiserId} of ${label}`)],
    ),
    ...(library.termsOrAdvertisers && advertiserIds.length > 0 && terms.length > 0
      ? [at('advertiserIds', `does not go together with terms at ${label}`)]
      : []),
    ...tooLong,
    ...elsewhere,
    ...Object.entries({ deliveredFrom, deliveredTo }).flatMap(([name, day]) => {
      if (day === undefined) return []
      if (first && day < first) return [at(name, `is before ${first}, where ${label}'s library begins`)]
      return last && day > last ? [at(name, `is after ${last}, where ${label}'s library ends`)] : []
    }),
  ]
}
