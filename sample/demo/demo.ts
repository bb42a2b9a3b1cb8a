import { mediaArchiveIn, type ServiceConfig } from '../../src/app.ts'
import { type DemoOptions, locationOf, mediaDirectoryOf } from '../../src/cli/options.ts'
import { readConfiguration } from '../../src/configuration.ts'
import { tidySearch } from '../../src/domain/catalogue/record-writes.ts'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { chartingApps } from '../../src/domain/charts/queries.ts'
import { discoveryWork } from '../../src/domain/emerging/discovery.ts'
import { estimateRefresh, type RefreshInput, refreshSubject } from '../../src/domain/estimates/refresh.ts'
import { countReadings } from '../../src/domain/evidence/queries.ts'
import { askForWorkWithin, type Enqueue } from '../../src/domain/work/ask-for-work.ts'
import { newestWork } from '../../src/domain/work/queries.ts'
import { importSample } from '../../src/imports/import-sample.ts'
import { collectingOn } from '../../src/jobs/collecting/collecting.ts'
import type { Terminal } from '../../src/operator/terminal.ts'
import { atomically, type Database } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { sampleEvidence } from '../sample-evidence.ts'
import { requestDemoData, saveDemoCreatives, watchForDemo } from './account.ts'
import { archiveDemoMedia, demoMediaHost, demoNetwork } from './media.ts'
import { performingOn } from './performing.ts'
import { keepReferenceExamples } from './reference.ts'
import { openDemoSources } from './sources.ts'
import { demoAppId, trackDemoApps } from './tracking.ts'

/** The same evidence on every machine: this is its last day. */
const sample = { seed: 7, until: '2026-11-20' }
/** Number of documents in the sample, for the progress bar. */
const sampleDocuments = 2_043

/** Storefronts of the sample's charts. */
const sampleStorefronts = ['us', 'jp', 'de']

/**
 * The configuration of the demo: a store of its own, a fake upstream in this process, and media from its own fake host.
 * Variables and configuration of a real installation are ignored.
 */
export async function demoConfig(
  { dataDir, host, port, logLevel, ...store }: DemoOptions,
  parts: AsyncDisposableStack,
): Promise<ServiceConfig> {
  const asked = parts.use(await openDemoSources(sample))
  const usual = readConfiguration(undefined, {})
  return {
    location: locationOf({ dataDir, ...store }),
    host,
    port,
    logLevel,
    rateLimit: 600,
    corsOrigins: [],
    works: true,
    configuration: { ...usual, ...asked, media: { ...usual.media, hosts: [demoMediaHost] } },
    mediaDirectory: mediaDirectoryOf({ dataDir }),
    network: demoNetwork(sample),
    tokenIssuer: undefined,
  }
}

/**
 * Fills a store with the sample evidence and what its first pages show. Goes on where an interrupted start ended.
 * @throws the reason of the signal, once it is aborted
 */
export async function fillWithSample(
  db: Database,
  { configuration, mediaDirectory, network }: ServiceConfig,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  const perform = performingOn(db, mediaArchiveIn(configuration, mediaDirectory, network))
  if ((await countReadings(db)) < sampleDocuments) {
    terminal.note(
      'Making sample evidence: 400 invented apps, ninety days of charts in three countries, searches, posts and ads.',
    )
    await importSample(db, sampleEvidence(sample), (done) => {
      signal?.throwIfAborted()
      terminal.progress({ label: 'sample evidence', done, total: sampleDocuments, unit: 'records' })
    })
    await tidySearch(db)
    await computeWordWeights(db, new Date())
  }
  signal?.throwIfAborted()
  await keepReferenceExamples(db, sample, collectingOn(db, configuration).adLibraries)
  await trackDemoApps(db)
  await requestDemoData(db)
  await watchForDemo(db, sample)
  await saveDemoCreatives(db, perform)
  if (!(await newestWork(db, estimateRefresh.name, refreshSubject(shownFirst)))?.finishedAt)
    await perform((transaction, enqueue) => askForEstimates(transaction, enqueue, [shownFirst]))
}

/** The app whose page is opened first: by the greeting, the tutorials and the tests. */
const shownFirst = { storeId: '9000000001', country: 'us' }

/**
 * Asks for everything else that is derived from the sample, once: apps on the rise, copies of media, and the estimates of all
 * apps that are in a chart now. Pages tell of each that it is under way.
 */
export async function askForTheRest(db: Database, enqueue: Enqueue): Promise<void> {
  await atomically(db, async (transaction) => {
    for (const country of sampleStorefronts) {
      const asked = discoveryWork({ country, categoryId: null, windowDays: 30, limit: 25 })
      if (await newestWork(transaction, asked.kind.name, asked.subject)) return
      await askForWorkWithin(transaction, enqueue, asked)
    }
    await archiveDemoMedia(transaction, enqueue)
    for (const country of sampleStorefronts) {
      const storeIds = await chartingApps(transaction, country)
      await askForEstimates(
        transaction,
        enqueue,
        storeIds.map((storeId) => ({ storeId, country })),
      )
    }
  })
}

async function askForEstimates(db: Database, enqueue: Enqueue, apps: readonly RefreshInput[]): Promise<void> {
  for (const input of apps)
    await askForWorkWithin(db, enqueue, { kind: estimateRefresh, subject: refreshSubject(input), input })
}

/** Fills a store as a demo has done some minutes after its first start: for what is recorded on it. */
export async function fillWholly(config: ServiceConfig): Promise<void> {
  await using store = await openStore(config.location, 'rivalscope demo')
  await fillWithSample(store.db, config, { out() {}, note() {}, progress() {} })
  const { configuration, mediaDirectory, network } = config
  await performingOn(
    store.db,
    mediaArchiveIn(configuration, mediaDirectory, network),
  )((transaction, enqueue) => askForTheRest(transaction, enqueue))
}

/** The greeting of the demo once it is ready: the address, a link that signs in, the key, and example calls for each interface. */
export function demoGreeting(address: string, link: string, key: string, keyFile: string): string {
  const call = (path: string) => `  curl -s -H 'Authorization: Bearer ${key}' '${address}${path}'`
  return [
    '',
    'Rivalscope is running on made-up evidence. Nothing here is a real app.',
    '',
    `  open       ${link}`,
    '             signs in to the web pages, once, within 15 minutes; later with the key',
    `  address    ${address}`,
    `  docs       ${address}/docs/`,
    `             tutorials on this evidence, and the reference at /docs/reference`,
    `  key        ${key}`,
    `             the same at every start; also in ${keyFile}`,
    '',
    'Search the catalogue, look at a chart, follow one app through it, see what it earns, who is on the rise,',
    'where a tracked app stands for its keywords, and which posts and ads of others do well:',
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
    'Stop it with Ctrl-C.',
    '',
  ].join('\n')
}

/** How the command is called: in a checkout, or where npm installed it. */
const command = import.meta.filename.endsWith('.ts') ? 'bin/rivalscope' : 'rivalscope'
