import { type ChildProcess, type SpawnOptionsWithStdioTuple, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createKey } from '../src/domain/accounts/keys.ts'
import { openStore, type StoreLocation } from '../src/storage/open-store.ts'

/** A process that answers HTTP, ended when disposed. */
export interface Served extends AsyncDisposable {
  address: string
  key: string
  /** From the spawn to the line that says it answers. */
  startMs: number
  /** Milliseconds of processor time it has used so far. */
  cpuMs(): number
}

const command = new URL('../bin/rivalscope', import.meta.url).pathname

/** `rivalscope serve` in a process of its own, without a rate limit, on one core when that is named; it logs into a file when that is. */
export async function serveStore(
  location: StoreLocation,
  {
    core,
    logLevel = 'silent',
    preload,
    log,
  }: { core?: number; logLevel?: string; preload?: string; log?: string } = {},
): Promise<Served & { pid: number }> {
  const key = await keyFor(location)
  const where =
    'dataDir' in location ? ['--data-dir', location.dataDir] : ['--database-url', location.databaseUrl]
  const options = ['serve', ...where, '--port', '0', '--rate-limit', '0', '--log-level', logLevel]
  return { key, ...(await startProcess([command, ...options], core, preload, log)) }
}

async function keyFor(location: StoreLocation): Promise<string> {
  await using store = await openStore(location, 'bench')
  return await createKey(store.db, { name: 'bench', scopes: ['context:read'] })
}

/**
 * Starts a command that prints `ready ADDRESS` when it answers.
 * @param preload a module that Node loads before the command
 * @param log the file that what it logs is appended to; without one it is thrown away
 */
export async function startProcess(
  [program = '', ...rest]: readonly string[],
  core?: number,
  preload?: string,
  log?: string,
): Promise<Omit<Served, 'key'> & { pid: number }> {
  const started = performance.now()
  const env = preload ? { ...process.env, NODE_OPTIONS: `--import ${preload}` } : process.env
  const options: SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'> = {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  }
  const child =
    core === undefined
      ? spawn(program, rest, options)
      : spawn('taskset', ['-c', String(core), program, ...rest], options)
  if (log === undefined) child.stderr.resume()
  else child.stderr.pipe(createWriteStream(log, { flags: 'a' }))
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
    })
    child.once('exit', () => reject(new Error(`${program} ended before it was ready`)))
  })
  return {
    address,
    pid: child.pid ?? 0,
    startMs: performance.now() - started,
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

/** User and system time of a process and its threads; Linux counts them in hundredths of a second. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
