import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { access, chmod, mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { command, folderName, killAllOn, sweepLeftovers, takeDown, unmount } from './leftovers.ts'

/** How much of its write cache a disk retains at a power cut; see power-disk.c. */
type Kept = 'none' | 'all' | 'prefix' | 'writes' | 'sectors'

const keptWays: readonly Kept[] = ['none', 'all', 'prefix', 'writes', 'sectors']

export interface PowerDiskOptions {
  sizeMiB: number
  /** Seed of how each cut tears; every cut reports it. The time of a cut is up to the caller. */
  seed?: number | undefined
  /** Duration of a flush. The longer it takes, the more writes are in the cache at a random instant. */
  flushMs?: number | undefined
  /** The smallest unit of an atomic write. */
  sector?: 512 | 4096 | undefined
}

/** The content of the cache at the power cut, and how much of it was retained. */
export interface Cut {
  seed: number
  mode: Kept
  sector: number
  writes: number
  sectors: number
  kept: number
}

export interface PowerDisk extends AsyncDisposable {
  /** The mount point of its ext4, the same before and after a cut. Every user can traverse it. */
  path: string
  seed: number
  /**
   * Cuts the power, at once or after so many more writes to the disk (or two seconds). From that instant on every read,
   * write and flush fails, so that nothing can be acknowledged that was not durable before. `gone` is called then, before
   * everything that runs on the disk is killed and its mount is removed.
   */
  cut(how?: { mode?: Kept | undefined; afterWrites?: number; gone?: () => void }): Promise<Cut>
  /** Restores the power: mounts the disk, and ext4 recovers its journal. */
  powerOn(): Promise<void>
  /** From now on flushes are acknowledged without effect, as on bad disks. */
  lie(): Promise<void>
  /** Errors that e2fsck finds after recovery of the journal; undefined without any. Nothing may run on the disk. */
  fileSystemFaults(): Promise<string | undefined>
  /** Writes and flushes so far. */
  counts(): Promise<{ writes: number; flushes: number }>
}

/** Why no disk can be made here; undefined when one can. */
export async function whyNotHere(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'needs Linux: loop devices and FUSE'
  if (process.getuid?.() !== 0) return 'needs root: it mounts file systems'
  for (const device of ['/dev/fuse', '/dev/loop-control']) {
    if (!(await exists(device))) return `needs ${device}`
  }
  for (const tool of ['gcc', 'mkfs.ext4', 'e2fsck', 'mount', 'umount']) {
    const found = await command('sh', ['-c', `command -v ${tool}`]).catch(() => undefined)
    if (!found) return `needs ${tool}`
  }
  try {
    await compiled()
  } catch (error) {
    return `needs libfuse 3 and its headers (libfuse3-dev, fuse3): ${error}`
  }
  try {
    await using _disk = await openPowerDisk({ sizeMiB: 16 })
  } catch (error) {
    return `cannot mount here: ${error}`
  }
  return undefined
}

export async function openPowerDisk(options: PowerDiskOptions): Promise<PowerDisk> {
  const { sizeMiB, seed = randomInt(2 ** 31), flushMs = 1, sector = 512 } = options
  await sweepLeftovers()
  const program = await compiled()
  const folder = await mkdtemp(join(tmpdir(), await folderName(process.pid)))
  await chmod(folder, 0o755)
  const [raw, path] = [join(folder, 'raw'), join(folder, 'disk')]
  await Promise.all([mkdir(raw), mkdir(path)])

  const sweeper = [process.execPath, fileURLToPath(new URL('sweep.ts', import.meta.url))]
  const words = [raw, String(sizeMiB * 1024 * 1024), String(Math.round(flushMs * 1000)), ...sweeper]
  const server = spawn(program, words, { stdio: ['pipe', 'ignore', 'pipe'], cwd: '/' })
  const said = heard(server)
  const status = async () => JSON.parse(await readFile(join(raw, 'status'), 'utf8'))
  const control = (text: string) => writeFile(join(raw, 'control'), text)
  const image = async () => join(raw, `disk.${(await status()).cuts}`)
  let cuts = 0

  const disk: PowerDisk = {
    path,
    seed,
    async cut({ mode, afterWrites = 0, gone } = {}) {
      const cutSeed = numberFrom(seed, cuts++)
      const way = mode ?? keptWays[cutSeed % keptWays.length] ?? 'sectors'
      await control(`cut ${cutSeed} ${way} ${sector} ${afterWrites}`)
      gone?.()
      await killAllOn(path)
      await unmount(path)
      return (await status()).cut
    },
    async powerOn() {
      await command('mount', ['-t', 'ext4', '-o', 'loop', await image(), path])
    },
    lie: () => control('lie'),
    async fileSystemFaults() {
      await unmount(path)
      const checked = command('e2fsck', ['-f', '-n', await image()])
      const faults = await checked.then(
        () => undefined,
        (error: { stdout: string }) => error.stdout,
      )
      await disk.powerOn()
      return faults
    },
    async counts() {
      const { writes, flushes } = await status()
      return { writes, flushes }
    },
    async [Symbol.asyncDispose]() {
      await takeDown(folder)
      server.kill('SIGKILL')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'close')
    },
  }
  try {
    for (const deadline = Date.now() + 10_000; !(await exists(join(raw, 'status'))); await setTimeout(5)) {
      if (server.exitCode !== null || Date.now() > deadline)
        throw new Error(`the disk did not start: ${said()}`)
    }
    const whole = ['-E', 'nodiscard,lazy_itable_init=0,lazy_journal_init=0']
    await command('mkfs.ext4', ['-q', '-F', '-b', '4096', ...whole, await image()])
    await disk.powerOn()
    await chmod(path, 0o755)
  } catch (error) {
    await disk[Symbol.asyncDispose]()
    throw error
  }
  return disk
}

/** The disk's program, compiled once for each version of its source. */
async function compiled(): Promise<string> {
  const source = fileURLToPath(new URL('power-disk.c', import.meta.url))
  const digest = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
  const folder = join(tmpdir(), 'rivalscope-power-program')
  const program = join(folder, digest.slice(0, 16))
  if (await exists(program)) return program
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const made = `${program}-${process.pid}`
  const flags = (await command('pkg-config', ['--cflags', '--libs', 'fuse3'])).stdout.trim().split(/\s+/)
  await command('gcc', ['-O2', '-Wall', '-Wextra', '-o', made, source, ...flags, '-lpthread'])
  await rename(made, program)
  return program
}

function heard(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  return () => text
}

/** A number of 31 bits derived from a seed and an index. */
function numberFrom(seed: number, place: number): number {
  return createHash('sha256').update(`${seed} ${place}`).digest().readUInt32BE() >>> 1
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
