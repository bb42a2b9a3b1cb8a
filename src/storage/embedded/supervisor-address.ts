import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** The supervisor's address: a socket in the data directory, or a port that this file names. */
const socketIn = (dataDir: string) => join(dataDir, 'supervisor.sock')
const portFileIn = (dataDir: string) => join(dataDir, 'supervisor.json')

export function postgresSocket(directory: string, port: number): string {
  return join(directory, `.s.PGSQL.${port}`)
}

/** Longest path of a socket, in bytes, that every system allows. */
const longestSocketPath = 103

export function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= longestSocketPath
}

/** Whether somebody takes connections at a socket. */
export async function acceptsConnections(path: string): Promise<boolean> {
  if (!fitsSocketPath(path)) return false
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** The port on loopback and its secret, in a file that only the owner of the directory can read. */
interface PortFile {
  port: number
  secret: string
  /** The data directory: a copy of the file in another directory is void. */
  path: string
}

/**
 * Listens for users on a socket in the data directory that only the owner can open. Where the path is too long for a
 * socket, or the file system has none: on a loopback port, for processes that can read a secret in the directory.
 */
export async function listenForUsers(
  server: Server,
  dataDir: string,
  onUser: (socket: Socket) => void,
): Promise<'socket' | 'port'> {
  const path = socketIn(dataDir)
  removeSupervisorAddress(dataDir)
  if (fitsSocketPath(path) && (await listensOn(server, path))) {
    server.on('connection', onUser)
    return 'socket'
  }
  // Some file systems leave a file where a socket could not be.
  rmSync(path, { force: true })
  const secret = randomBytes(32).toString('base64url')
  server.on('connection', (socket) => void admitted(socket, secret).then((known) => known && onUser(socket)))
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const file: PortFile = { port, secret, path: realpathSync(dataDir) }
  writeFileSync(portFileIn(dataDir), JSON.stringify(file), { mode: 0o600 })
  return 'port'
}

/** Removes the address at which a supervisor has listened. */
export function removeSupervisorAddress(dataDir: string): void {
  for (const left of [socketIn(dataDir), portFileIn(dataDir)]) rmSync(left, { force: true })
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

/** Connects to the supervisor of a data directory. @throws when there is none */
export async function connectToSupervisor(dataDir: string): Promise<Socket> {
  const file = readPortFile(dataDir)
  const socket = file ? connect({ host: '127.0.0.1', port: file.port }) : connect(socketIn(dataDir))
  await once(socket, 'connect')
  if (file && !(await isProven(socket, file.secret))) throw new Error('somebody else listens there')
  return socket
}

function readPortFile(dataDir: string): PortFile | undefined {
  try {
    const file = JSON.parse(readFileSync(portFileIn(dataDir), 'utf8')) as PortFile
    return file.path === realpathSync(dataDir) ? file : undefined
  } catch {
    return undefined
  }
}

/*
 * On a port both sides prove that they know the secret without sending it: the user sends a random text, the supervisor
 * another one with a proof over both, the user its own proof.
 */

async function admitted(socket: Socket, secret: string): Promise<boolean> {
  socket.on('error', () => {})
  const theirs = await lineFrom(socket)
  if (theirs === undefined) return false
  const ours = randomBytes(24).toString('base64url')
  socket.write(`${ours} ${proof(secret, 'supervisor', theirs, ours)}\n`)
  return isSame(socket, await lineFrom(socket), proof(secret, 'user', theirs, ours))
}

async function isProven(socket: Socket, secret: string): Promise<boolean> {
  socket.on('error', () => {})
  const ours = randomBytes(24).toString('base64url')
  socket.write(`${ours}\n`)
  const [theirs = '', said] = (await lineFrom(socket))?.split(' ') ?? []
  if (!isSame(socket, said, proof(secret, 'supervisor', ours, theirs))) return false
  socket.write(`${proof(secret, 'user', ours, theirs)}\n`)
  return true
}

function proof(secret: string, side: string, ofUser: string, ofSupervisor: string): string {
  return createHmac('sha256', secret).update(`${side} ${ofUser} ${ofSupervisor}`).digest('base64url')
}

function isSame(socket: Socket, said: string | undefined, expected: string): boolean {
  const same =
    said?.length === expected.length &&
    timingSafeEqual(Buffer.from(said, 'latin1'), Buffer.from(expected, 'latin1'))
  if (!same) socket.destroy()
  return same
}

const longestLine = 200
const lineWithinMs = 5_000

/** The next line of an untrusted peer; undefined, and the connection closed, when none comes in time. */
function lineFrom(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = ''
    const end = (line: string | undefined) => {
      clearTimeout(limit)
      socket.pause().off('data', hear).off('close', gone)
      if (line === undefined) socket.destroy()
      resolve(line)
    }
    const gone = () => end(undefined)
    const hear = (chunk: Buffer) => {
      said += chunk.toString('latin1')
      const at = said.indexOf('\n')
      if (at >= 0) {
        end(said.slice(0, at))
        // The bytes after the line end belong to the next reader.
        if (at + 1 < said.length) socket.unshift(Buffer.from(said.slice(at + 1), 'latin1'))
      } else if (said.length > longestLine) end(undefined)
    }
    const limit = setTimeout(gone, lineWithinMs)
    socket.on('data', hear).on('close', gone).resume()
  })
}

/** A free port on loopback. */
export async function freePort(): Promise<number> {
  await using server = createServer().listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}
