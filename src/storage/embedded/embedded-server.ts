import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { extname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeDirectory } from '../make-directory.ts'
import { clusterDirectory, serverLogOf } from './cluster.ts'
import { EmbeddedStoreError } from './error.ts'
import { happensWithin } from './postmaster.ts'
import type { StoreSettings } from './settings.ts'
import type { PostgresConnection, SupervisorMessage } from './supervised-users.ts'
import { connectToSupervisor } from './supervisor-address.ts'

/** The PostgreSQL of a data directory, which runs for as long as any process uses it. */
export interface EmbeddedServer extends AsyncDisposable {
  /** How to connect at this moment; where there are no sockets, the port changes when PostgreSQL restarts. */
  readonly connection: PostgresConnection
}

/** A started supervisor answers within this time, or has logged why it ended. */
const supervisorWithinMs = 20_000
/** A supervisor that runs and has not answered may be waiting for a core of a busy machine. */
const slowSupervisorWithinMs = 300_000
/** A supervisor that starts PostgreSQL gives a sign of life every five seconds, however long it recovers. */
const silentForMs = 30_000
/** Once the last user has gone, PostgreSQL writes what is in memory and ends. */
const endsWithinMs = 60_000

/**
 * Uses the PostgreSQL of a data directory, which is created and started where none runs. Any number of processes may use
 * it. A supervisor that is killed is replaced by its users; PostgreSQL keeps running meanwhile.
 * @param onConnection called whenever PostgreSQL has restarted
 * @throws EmbeddedStoreError
 */
export async function useEmbeddedServer(
  dataDir: string,
  settings: StoreSettings,
  onConnection: (connection: PostgresConnection) => void = () => {},
): Promise<EmbeddedServer> {
  const directory = resolve(dataDir)
  makeDataDirectory(directory)
  let held = await connectOrStart(directory, settings)
  let closed = false
  void (async () => {
    while (!closed) {
      await follow(held, directory, onConnection)
      while (!closed) {
        const next = await connectOrStart(directory, settings).catch(() => undefined)
        if (next) {
          held = next
          onConnection(held.connection)
          break
        }
        await setTimeout(1_000, undefined, { ref: false })
      }
    }
    await leave(held)
  })()
  return {
    get connection() {
      return held.connection
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await leave(held)
    },
  }
}

interface SupervisedConnection {
  socket: Socket
  messages: AsyncIterator<string>
  connection: PostgresConnection
}

/** Follows a supervisor until it has gone. */
async function follow(
  held: SupervisedConnection,
  directory: string,
  onConnection: (connection: PostgresConnection) => void,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await held.messages.next()
      if (done) return
      const message = messageIn(value)
      if (!message || !('ready' in message)) continue
      held.connection = asSeenHere(message.ready, directory)
      onConnection(held.connection)
    }
  } catch {
    // The connection broke: the supervisor has gone.
  }
}

async function leave({ socket }: SupervisedConnection): Promise<void> {
  if (socket.closed) return
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.end()
  if (!(await happensWithin(closed, endsWithinMs))) socket.destroy()
}

/** Connects to the supervisor, which is started where there is none, and waits until PostgreSQL takes connections. */
async function connectOrStart(directory: string, settings: StoreSettings): Promise<SupervisedConnection> {
  const begun = Date.now()
  let started: Started | undefined
  const happensWithin = () => (started?.runs() ? slowSupervisorWithinMs : supervisorWithinMs)
  for (; Date.now() < begun + happensWithin(); await setTimeout(15)) {
    const socket = await connectToSupervisor(directory).catch(refuseForbidden)
    const held = socket && (await waitForReady(socket, directory))
    if (held) return held
    if (!socket && started?.failed()) break
    // If there was one, it was about to end when we connected.
    if (!started?.runs()) started = startSupervisor(directory, settings)
  }
  throw new EmbeddedStoreError(
    `The embedded store in ${directory} does not start. The end of ${serverLogOf(directory)}:\n${endOfLog(directory)}`,
  )
}

/** There is a supervisor, and another user owns it. */
function refuseForbidden(error: unknown): undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EACCES') return undefined
  throw new EmbeddedStoreError(`The embedded store is in use by another user: ${error.message}.`)
}

/** The connection once PostgreSQL accepts it. @returns undefined when the supervisor goes, or is none, before that */
async function waitForReady(socket: Socket, directory: string): Promise<SupervisedConnection | undefined> {
  socket.on('error', () => {})
  const messages = createInterface({ input: socket })[Symbol.asyncIterator]()
  for (;;) {
    const silent = setTimeout(silentForMs, undefined, { ref: false }).then(() => 'silent' as const)
    const next = await Promise.race([messages.next().catch(() => undefined), silent])
    if (next === 'silent') {
      socket.destroy()
      throw new EmbeddedStoreError(
        `The supervisor of the embedded store in ${directory} says nothing. See ${serverLogOf(directory)}.`,
      )
    }
    const message = next?.done === false ? messageIn(next.value) : undefined
    if (message && 'waiting' in message) continue
    if (message && 'ready' in message)
      return { socket, messages, connection: asSeenHere(message.ready, directory) }
    socket.destroy()
    if (!message) return undefined
    throw new EmbeddedStoreError(message.failed)
  }
}

function messageIn(text: string): SupervisorMessage | undefined {
  try {
    return JSON.parse(text) as SupervisorMessage
  } catch {
    return undefined
  }
}

/** The directory may have another path here than where the supervisor runs. */
function asSeenHere(connection: PostgresConnection, directory: string): PostgresConnection {
  return connection.password === undefined ? { ...connection, host: clusterDirectory(directory) } : connection
}

interface Started {
  runs(): boolean
  failed(): boolean
}

function startSupervisor(directory: string, settings: StoreSettings): Started {
  const log = openSync(serverLogOf(directory), 'a', 0o600)
  const program = fileURLToPath(new URL(`supervisor-process${extname(import.meta.filename)}`, import.meta.url))
  const child: ChildProcess = spawn(
    process.execPath,
    ['--max-old-space-size=64', program, directory, JSON.stringify(settings)],
    // It is independent of this process: of its terminal and of its working directory.
    { cwd: '/', detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  child.on('error', () => {})
  child.unref()
  return {
    runs: () => child.exitCode === null && child.signalCode === null && child.pid !== undefined,
    failed: () => child.pid === undefined || (child.exitCode ?? 0) !== 0,
  }
}

/** Creates the directory where it is missing, readable by its owner only; an existing one keeps its mode. */
function makeDataDirectory(path: string): void {
  try {
    makeDirectory(path)
    closeSync(openSync(serverLogOf(path), 'a', 0o600))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbeddedStoreError(
      `The data directory ${path} cannot be used: ${reason}. Name another one with --data-dir.`,
    )
  }
}

function endOfLog(directory: string): string {
  return readFileSync(serverLogOf(directory), 'utf8').trimEnd().split('\n').slice(-5).join('\n')
}
