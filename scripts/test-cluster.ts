import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { folderOfTestServers } from '../src/storage/testing.ts'
import { freePorts } from '../tests/support/free-port.ts'

/**
 * Runs test files on a cluster of a coordinator and two workers, each store of a test distributed over it. Does nothing, and says so,
 * where the tool that makes a cluster or Citus itself is not there.
 *
 *   node scripts/test-cluster.ts [word…]   only files whose names contain one of the words, as `npm test -- --help` tells
 */
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
    [join(import.meta.dirname, 'test.ts'), '--kind', 'cluster', ...process.argv.slice(2)],
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
