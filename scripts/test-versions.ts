import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { folderOfTestServers } from '../src/storage/testing.ts'
import { freePort } from '../tests/support/free-port.ts'

/**
 * Runs tests of migrations, and of SQL that differs between versions, on the oldest PostgreSQL that is supported, or on the one that
 * `RIVALSCOPE_TEST_DATABASE_URL` names. Does nothing, and says so, where it is not installed.
 *
 *   node scripts/test-versions.ts [word…]   only files whose names contain one of the words, as `npm test -- --help` tells
 */
const oldest = 15
const programs = `/usr/lib/postgresql/${oldest}/bin`

if (process.env.RIVALSCOPE_TEST_DATABASE_URL) process.exitCode = test(process.env.RIVALSCOPE_TEST_DATABASE_URL)
else if (existsSync(join(programs, 'initdb'))) process.exitCode = await testOnOldest()
else process.stdout.write(`nothing is tried on PostgreSQL ${oldest}: it is not installed on this machine\n`)

function test(url: string): number {
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'test.ts'), '--kind', 'versions', ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, RIVALSCOPE_TEST_DATABASE_URL: url } },
  )
  return status ?? 1
}

async function testOnOldest(): Promise<number> {
  // Its user has to get into it.
  const folder = mkdtempSync(join(folderOfTestServers(), 'rivalscope-versions-'))
  const owner = process.getuid?.() === 0 ? ownerOfServers() : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const perform = (program: string, ...args: string[]) =>
    execFileSync(join(programs, program), args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: folder,
      ...owner,
    })
  const data = join(folder, 'data')
  const port = await freePort()
  // A signal ends the tests; PostgreSQL is stopped after them.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  try {
    perform('initdb', '-D', data, '-U', 'postgres', '-A', 'trust')
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
    perform('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start')
    return test(`postgres://postgres@127.0.0.1:${port}/postgres`)
  } finally {
    if (existsSync(join(data, 'postmaster.pid'))) perform('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL does not run as root: the user that its package made owns it. */
function ownerOfServers(): { uid: number; gid: number } {
  const id = (what: '-u' | '-g') => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
