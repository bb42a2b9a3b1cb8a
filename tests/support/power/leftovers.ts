import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

export const command = promisify(execFile)

const prefix = 'rivalscope-power-disk-'

/** The folder of a disk is named after its process, by id and start time. */
export async function folderName(pid: number): Promise<string> {
  return `${prefix}${pid}-${await beginning(pid)}-`
}

/** Removes the disks of processes that are gone: what runs on them, their mounts, loop devices and folders. */
export async function sweepLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, began] = new RegExp(`^${prefix}(\\d+)-(\\d+)-`).exec(name) ?? []
    if (pid && began !== (await beginning(Number(pid)))) await takeDown(join(tmpdir(), name))
  }
}

/** Kills everything that runs on the disks in a folder, and removes their mounts and the folder. */
export async function takeDown(folder: string): Promise<void> {
  await killAllOn(folder)
  for (const path of (await mountsIn(folder)).reverse()) await unmount(path)
  await rm(folder, { recursive: true, force: true })
}

/** Unmounts, lazily where something still holds it. A loop device that `mount` created goes with its mount. */
export async function unmount(path: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      await command('umount', [path])
      return
    } catch {
      await setTimeout(25)
    }
  }
  await command('umount', ['--lazy', path]).catch(() => {})
}

/** The mounts in a folder, in the order they were made. */
async function mountsIn(folder: string): Promise<string[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n')
  return lines.map((line) => line.split(' ')[4] ?? '').filter((path) => path.startsWith(`${folder}/`))
}

/**
 * Kills every process but this one that works in a folder or has a file open there, and waits until they are gone. Their
 * shared memory is removed too, as it would be by a power cut.
 */
export async function killAllOn(folder: string): Promise<void> {
  const memory = new Set<string>()
  const killed: number[] = []
  for (;;) {
    const found: number[] = []
    for (const pid of await processes()) {
      if (pid === process.pid || killed.includes(pid) || !(await uses(pid, folder))) continue
      for (const name of await sharedMemory(pid)) memory.add(name)
      found.push(pid)
    }
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
    }
    if (found.length === 0) break
    killed.push(...found)
    const until = Date.now() + 5_000
    for (const pid of found) while ((await alive(pid)) && Date.now() < until) await setTimeout(2)
  }
  for (const name of memory) await rm(name, { force: true })
  await removeSegments(killed)
}

async function processes(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
}

async function uses(pid: number, folder: string): Promise<boolean> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = ['cwd', ...descriptors.map((name) => `fd/${name}`)]
  const paths = await Promise.all(links.map((link) => readlink(`/proc/${pid}/${link}`).catch(() => '')))
  return paths.some((path) => path === folder || path.startsWith(`${folder}/`))
}

/** The POSIX shared memory of PostgreSQL that a process has mapped. */
async function sharedMemory(pid: number): Promise<string[]> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '')
  return maps.match(/\/dev\/shm\/PostgreSQL\.\d+/g) ?? []
}

/** Removes the System V shared memory that these processes created and no other uses. */
async function removeSegments(pids: readonly number[]): Promise<void> {
  const lines = (await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '')).split('\n').slice(1)
  for (const line of lines) {
    const [, id = '', , , creator, , attached] = line.trim().split(/\s+/)
    if (pids.includes(Number(creator)) && attached === '0') await command('ipcrm', ['-m', id]).catch(() => {})
  }
}

/** True for a zombie as well: its id is still taken, as it would not be after a power cut. */
async function alive(pid: number): Promise<boolean> {
  return (await statOf(pid)).length > 0
}

/** Start time of a process, in ticks since boot; empty when there is none. */
async function beginning(pid: number): Promise<string> {
  return (await statOf(pid))[19] ?? ''
}

/** The state of a process and the fields after it in /proc. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : []
}
