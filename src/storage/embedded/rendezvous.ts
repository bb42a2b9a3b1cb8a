import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Where a supervisor listens: a socket in the data directory, or a port of which this file tells. */
const socketIn = (dataDir: string) => join(dataDir, 'supervisor.sock')
const portFileIn = (dataDir: string) => join(dataDir, 'supervisor.json')

export function postgresSocket(directory: string, port: number): string {
  return join(directory, `.s.PGSQL.${port}`)
}

/** Bytes that every system allows for the path of a socket. */
const longestSocketPath = 103

export function fitsSocket(path: string): boolean {
  return Buffer.byteLength(path) <= longestSocketPath
}

/**
 * Listens for users on a socket in the data directory that only the owner can open. Where the path is too long for a socket,
 * or the file system has none, on a port of loopback, to whoever can read a secret in the directory.
 */
export async function listen(
  server: Server,
  dataDir: string,
  onUser: (socket: Socket) => void,
): Promise<'socket' | 'port'> {
  const path = socketIn(dataDir)
  for (const left of [path, portFileIn(dataDir)]) rmSync(left, { force: true })
  if (fitsSocket(path) && (await listensOn(server, path))) {
    server.on('connection', onUser)
    return 'socket'
  }
  // Some file systems leave a file where a socket could not be.
  rmSync(path, { force: true })
  const token = randomBytes(32).toString('base64url')
  server.on('connection', (socket) => void identified(socket, token).then((known) => known && onUser(socket)))
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  writeFileSync(portFileIn(dataDir), JSON.stringify({ port, token }), { mode: 0o600 })
  return 'port'
}

async function listensOn(server: Server, path: string): Promise<boolean> {
  const before = process.umask(0o177)
  try {
    server.listen(path)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    process.umask(before)
  }
}

/** Whether the first line is the secret; whoever says anything else is cut off. */
async function identified(socket: Socket, token: string): Promise<boolean> {
  socket.on('error', () => {})
  for await (const line of createInterface({ input: socket.setTimeout(5_000, () => socket.destroy()) })) {
    const [said, expected] = [Buffer.from(line), Buffer.from(token)]
    if (said.length !== expected.length || !timingSafeEqual(said, expected)) break
    socket.setTimeout(0)
    return true
  }
  socket.destroy()
  return false
}

/** Connects to the supervisor of a data directory. @throws when there is none */
export async function connectToSupervisor(dataDir: string): Promise<Socket> {
  const port = readPort(dataDir)
  const socket = port ? connect({ host: '127.0.0.1', port: port.port }) : connect(socketIn(dataDir))
  await once(socket, 'connect')
  if (port) socket.write(`${port.token}\n`)
  return socket
}

function readPort(dataDir: string): { port: number; token: string } | undefined {
  try {
    return JSON.parse(readFileSync(portFileIn(dataDir), 'utf8')) as { port: number; token: string }
  } catch {
    return undefined
  }
}

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  await using server = createServer().listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}
