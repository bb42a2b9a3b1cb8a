import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { folderOfTestServers } from '../src/storage/testing.ts'
import { freePorts } from '../tests/support/free-port.ts'

/**
 * Runs test files on a cluster of a coordinator and two workers, each store of a test distributed over it. Does nothing, and says so,
 * where the tool that makes a cluster or Citus itself is not there.
 *
 *   node scripts/test-cluster.ts [word…]   only files whose names contain one of the words
 */
const files = [
  'tests/account-keys',
  'tests/account-limits',
  'tests/ad-analyses',
  'tests/aso-app-search',
  'tests/aso-apps',
  'tests/aso-bad-input',
  'tests/long/aso-exploration',
  'tests/long/aso-gap',
  'tests/long/aso-refresh',
  'tests/aso-related-terms',
  'tests/aso-workstation',
  'tests/brought-evidence',
  'tests/browsing-by-filters',
  'tests/categories',
  'tests/long/chat-story',
  'tests/long/competitor-aso',
  'tests/competitor-organic',
  'tests/creative-reading',
  'tests/long/creatives-bad-input',
  'tests/data-requests',
  'tests/long/emerging',
  'tests/emerging-backtest',
  'tests/import-catalogue',
  'tests/import-charts',
  'tests/import-counts',
  'tests/import-mappings',
  'tests/import-organic',
  'tests/import-paid-ads',
  'tests/long/import-sales',
  'tests/import-search-results',
  'tests/import-shapes',
  'tests/long/kept-media',
  'tests/keyword-suggestions',
  'tests/long/listing-audit',
  'tests/long/listing-impact',
  'tests/organic',
  'tests/organic-search',
  'tests/paid-ad-advertisers',
  'tests/long/paid-ad-imports',
  'tests/paid-ad-search',
  'tests/paid-ads',
  'tests/ratings',
  'tests/replay',
  'tests/long/retention',
  'tests/retention-media',
  'tests/long/retention-media-files',
  'tests/saved-creatives',
  'tests/search-of-one-storefront',
  'tests/search-recall',
  'tests/long/similar',
  'tests/unreadable-work',
  'tests/watches',
  'tests/watches-kinds',
  'tests/watches-mail',
  'tests/weekly-report',
  'src/domain/creatives/search/search-plans',
]
/** Tests that are left out, by what their names match: one that shuffles rows by their place on the disk, and all replays but two. */
const leftOut = ['is a brand', '/replay(?! restores exactly)/', 'a clock was years ahead']
const workers = 2

const tool =
  process.env.RIVALSCOPE_TEST_CLUSTER_TOOL ??
  new URL('../../shared/tools/citus/cluster.sh', import.meta.url).pathname
const lacks = !existsSync(tool)
  ? 'the tool that makes a cluster of PostgreSQL is not here'
  : !existsSync('/usr/share/postgresql/15/extension/citus.control') && 'Citus is not installed on this machine'
if (lacks) {
  process.stdout.write(`nothing is tried on a cluster: ${lacks}\n`)
  process.exit(0)
}

// The user of the servers has to get into it.
const folder = mkdtempSync(join(folderOfTestServers(), 'rivalscope-cluster-'))
const first = await freePorts(workers + 1)
const cluster = (...args: string[]) =>
  execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`
// A signal ends the tests; the cluster is stopped after them.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
try {
  cluster('start', folder, String(workers), String(first))
  const { status } = spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, 'test.ts'),
      ...files.flatMap((file) => ['--files', `${file}.test.ts`]),
      ...leftOut.flatMap((words) => ['--skip', words]),
      ...process.argv.slice(2),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        RIVALSCOPE_TEST_DATABASE_URL: urlOf(first),
        RIVALSCOPE_TEST_WORKERS: Array.from({ length: workers }, (_, at) => urlOf(first + 1 + at)).join(' '),
      },
    },
  )
  process.exitCode = status ?? 1
} finally {
  cluster('stop', folder)
}
