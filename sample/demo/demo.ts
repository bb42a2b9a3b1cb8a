import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { mediaArchiveIn, type Service, type ServiceConfig } from '../../src/app.ts'
import { readConfiguration } from '../../src/configuration.ts'
import { chartingApps } from '../../src/domain/charts/queries.ts'
import { discoveryWork } from '../../src/domain/emerging/discovery.ts'
import { estimateRefresh, type RefreshInput, refreshSubject } from '../../src/domain/estimates/refresh.ts'
import { countChange } from '../../src/domain/evidence/changes.ts'
import { askForWorkWithin, type Enqueue } from '../../src/domain/work/ask-for-work.ts'
import { lastSuccessAt, newestWork, workUnderWay } from '../../src/domain/work/queries.ts'
import { collectingOn } from '../../src/jobs/collecting/collecting.ts'
import { type LocationOptions, locationOf, mediaDirectoryOf } from '../../src/operator/location.ts'
import type { Terminal } from '../../src/operator/operator-context.ts'
import { type Database, inTransaction } from '../../src/storage/database.ts'
import { openStore, type StoreLocation } from '../../src/storage/open-store.ts'
import { requestDemoData, saveDemoCreatives, watchForDemo } from './account.ts'
import { isCheckout } from './builds.ts'
import { documentsOf, isWhole, sample, storeEvidence } from './evidence.ts'
import { archiveDemoMedia, demoMediaHost, demoNetwork } from './media.ts'
import { performingOn } from './performing.ts'
import { hasReferenceExamples, keepReferenceExamples } from './reference.ts'
import { openDemoSources } from './sources.ts'
import { demoAccount, demoAppId, tellDemoListings, trackDemoApps } from './tracking.ts'

/** Storefronts of the sample's charts. */
const sampleStorefronts = ['us', 'jp', 'de']

type DemoOptions = Pick<LocationOptions, 'dataDir' | 'storeMemory' | 'storeUser'> &
  Pick<ServiceConfig, 'host' | 'port' | 'logLevel'>

/**
 * The configuration of the demo: a store of its own, a fake upstream in this process, and media from its own fake host.
 * Variables and configuration of a real installation are ignored.
 */
export async function demoConfig(
  { dataDir, host, port, logLevel, ...store }: DemoOptions,
  parts: AsyncDisposableStack,
): Promise<ServiceConfig> {
  const asked = parts.use(await openDemoSources(sample))
  const usual = await readConfiguration(undefined, {})
  return {
    location: locationOf({ dataDir, ...store }),
    host,
    port,
    logLevel,
    rateLimit: 600,
    corsOrigins: [],
    works: true,
    configuration: {
      ...usual,
      ...asked,
      media: { ...usual.media, hosts: [demoMediaHost] },
      web: { ...usual.web, operators: [demoAccount] },
    },
    mediaDirectory: mediaDirectoryOf({ dataDir }),
    network: demoNetwork(sample),
    notSent: 'In the demo nothing is sent to anybody: only a feed can be added.',
    tokenIssuer: undefined,
  }
}

/**
 * Fills a store with what the first pages show. Goes on where an interrupted start ended.
 * @param part of the evidence, where it is not stored
 * @throws the reason of the signal, once it is aborted
 */
export async function fillWithSample(
  db: Database,
  { configuration, mediaDirectory, network }: ServiceConfig,
  terminal: Terminal,
  { part, signal }: { part: 'first' | 'whole'; signal?: AbortSignal },
): Promise<void> {
  const perform = performingOn(db, mediaArchiveIn(configuration, mediaDirectory, network))
  if (!(await hasReferenceExamples(db))) {
    terminal.note(
      'Making sample evidence: 400 invented apps in three countries, charts, searches, posts and ads.',
    )
    await storeEvidence(db, part, (done) => {
      signal?.throwIfAborted()
      terminal.progress({ label: 'sample evidence', done, total: documentsOf[part], unit: 'records' })
    })
    await keepReferenceExamples(db, collectingOn(db, configuration).adLibraries)
  }
  signal?.throwIfAborted()
  await trackDemoApps(db)
  await tellDemoListings(db, new Date(`${sample.until}T00:00:00Z`))
  await requestDemoData(db)
  await watchForDemo(db, sample)
  await saveDemoCreatives(db, perform)
  if (!(await lastSuccessAt(db, estimateRefresh.name, refreshSubject(shownFirst))))
    await perform((transaction) => askForEstimates(transaction, [shownFirst]))
  await inTransaction(db, (transaction) => askForTheRest(transaction, part === 'first'))
}

/** The app whose page is opened first: by the greeting, the tutorials and the tests. */
const shownFirst = { storeId: '9000000001', country: 'us' }

/**
 * Asks for everything else that is derived from the sample, once: emerging apps, copies of media, and the estimates of all
 * apps that are in a chart now; `fillTheRest` adds the jobs.
 * @param isWaitedFor whether pages tell every account of each that it waits
 */
async function askForTheRest(db: Database, isWaitedFor: boolean): Promise<void> {
  for (const country of sampleStorefronts) {
    const asked = discoveryWork({ country, categoryId: null, windowDays: 30, limit: 25 })
    if (await newestWork(db, asked.kind.name, asked.subject)) return
    await askForWorkWithin(db, noJob, asked)
  }
  await archiveDemoMedia(db, noJob)
  for (const country of sampleStorefronts) {
    const storeIds = await chartingApps(db, country)
    const apps = storeIds.map((storeId) => ({ storeId, country }))
    await askForEstimates(db, apps)
  }
  if (isWaitedFor)
    await sql`
      insert into work_requesters (work_id) select work_id from work where kind = ${estimateRefresh.name} and status = 'queued'
      on conflict do nothing`.execute(db)
}

/** Whether `fillTheRest` has something to do. */
export async function isStillFilling(db: Database): Promise<boolean> {
  return !(await isWhole(db)) || (await workUnderWay(db, new Date('9999-01-01'))).length > 0
}

/**
 * Stores the older evidence and has everything else derived from it, while the service answers; ends when all is there, or once the
 * signal is aborted. Goes on where an interrupted start ended.
 */
export async function fillTheRest(
  { db, enqueue }: Pick<Service, 'db' | 'enqueue'>,
  location: StoreLocation,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isWhole(db))) {
    await storeOlderEvidence(location, signal)
    if (signal.aborted) return
  }
  const left = () => workUnderWay(db, new Date('9999-01-01'))
  const waiting = await left()
  if (waiting.length === 0) return
  // Of a job that is queued already, there is one only.
  await inTransaction(db, async (transaction) => {
    for (const { kind: name, workId } of waiting) await enqueue(transaction, { name }, { workId })
  })
  while ((await left()).length > 0) {
    await setTimeout(1_000, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
  }
  terminal.note('Everything is there now: older days, estimates and emerging apps.')
}

async function storeOlderEvidence(location: StoreLocation, signal: AbortSignal): Promise<void> {
  const program = new URL(`older-evidence${extname(import.meta.filename)}`, import.meta.url)
  const thread = new Worker(program, { workerData: location })
  const stop = () => void thread.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code] = (await once(thread, 'exit')) as [number]
    if (code !== 0 && !signal.aborted) throw new Error('The older evidence was not stored.')
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Fills a store as a demo has done a minute after its first start: for what is recorded on it. */
export async function fillWholly(config: ServiceConfig): Promise<void> {
  await using store = await openStore(config.location, 'rivalscope demo')
  await fillWithSample(store.db, config, { out() {}, note() {}, progress() {} }, { part: 'whole' })
  const { configuration, mediaDirectory, network } = config
  await performingOn(store.db, mediaArchiveIn(configuration, mediaDirectory, network))(async () => {})
}

/** Asks for all of them in one statement. */
async function askForEstimates(db: Database, apps: readonly RefreshInput[]): Promise<void> {
  const asked = apps.map((input) => ({ workId: uuidv7(), subject: refreshSubject(input), input }))
  await sql`
    insert into work (work_id, kind, subject, input, status)
    select "workId", ${estimateRefresh.name}, subject, input, 'queued'
    from json_to_recordset(${JSON.stringify(asked)}::json) as asked("workId" uuid, subject text, input jsonb)
    order by subject
    on conflict (kind, subject) where status in ('queued', 'running') do nothing`.execute(db)
  await countChange(db, ['other'])
}

const noJob: Enqueue = async () => {}

/** The greeting of the demo once it is ready: example calls for each interface, and last, where a terminal shows it, how to open the pages. */
export function demoGreeting(
  address: string,
  {
    link,
    key,
    keyFile,
    isStillFilling,
  }: { link: string; key: string; keyFile: string; isStillFilling: boolean },
): string {
  const call = (path: string) => `  curl -s -H 'Authorization: Bearer ${key}' '${address}${path}'`
  return [
    '',
    'For programs. Search the catalogue, look at a chart, follow one app through it, see what it earns, who is new in charts or',
    'moved up, where a tracked app stands for its keywords, and which posts and ads of others do well:',
    '',
    call('/v1/competitors?q=sleep&limit=3'),
    call('/v1/charts?country=jp&chart=top-free&limit=5'),
    call(`/v1/charts/apps/${shownFirst.storeId}/history?country=us`),
    call(`/v1/competitors/ios/${shownFirst.storeId}/estimates/history?country=us`),
    call('/v1/competitors/intake/emerging?country=us&limit=3'),
    call(`/v1/aso/apps/${demoAppId}`),
    call('/v1/organic?q=planner&sort=outlier&limit=3'),
    call('/v1/paid-ads?q=free&active=true&sort=longest-running&limit=3'),
    '',
    'The same at a terminal, with tables and drawings (docs/cli.md):',
    '',
    `  export RIVALSCOPE_SERVER=${address} RIVALSCOPE_KEY=${key}`,
    `  ${command} get-aso-workstation ${demoAppId}`,
    '',
    'What asks Apple and the ad libraries elsewhere, asks a made-up store here. It sells more than is stored:',
    '',
    `  ${command} search-ios-apps --term "focus timer"`,
    `  ${command} request-ios-competitor --app example.larkandloam.tidesong --wait`,
    `  ${command} refresh-aso-app ${demoAppId} --wait`,
    `  ${command} admin-preview-paid-ads --platform meta --terms habit --countries de`,
    '',
    'And for an agent (docs/agents.md):',
    '',
    `  claude mcp add --transport http rivalscope ${address}/mcp --header "Authorization: Bearer ${key}"`,
    '',
    'Rivalscope is running on made-up data. No app here is real.',
    '',
    `  open       ${link}`,
    '             signs in to the web pages, once, within 15 minutes; later with the key',
    `  address    ${address}`,
    `  key        ${key}`,
    `             the same at every start; also in ${keyFile}`,
    `  docs       ${address}/docs/`,
    ...(isStillFilling
      ? ['', 'Older days, estimates and emerging apps still come in, for a minute or two.']
      : []),
    '',
    'Stop it with Ctrl-C.',
    '',
  ].join('\n')
}

/** How the command is called: in a checkout, or where npm installed it. */
const command = isCheckout ? 'bin/rivalscope' : 'rivalscope'
