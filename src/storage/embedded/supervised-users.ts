import type { Socket } from 'node:net'

/** How to connect to PostgreSQL; `host` is the directory of a socket, or an address. */
export interface Connection {
  host: string
  port: number
  user: string
  password?: string
  database: string
}

/** What a supervisor says to its users, one JSON object a line. */
export type SupervisorMessage =
  /** PostgreSQL takes connections; said again when it was started anew. */
  | { ready: Connection }
  /** PostgreSQL does not start: why. */
  | { failed: string }
  /** PostgreSQL is being started or stopped, which can take long: it recovers. */
  | { waiting: true }

/**
 * The users of a supervised PostgreSQL: processes with a connection to its supervisor. The operating system closes that
 * connection when the process ends, however it ends. A user that goes in order closes its side, and is answered by the other
 * side being closed: at once while others stay, after PostgreSQL has ended when it was the last.
 */
export class SupervisedUsers {
  readonly #present = new Set<Socket>()
  /** Users that went in order and wait to be let go. */
  readonly #leaving = new Set<Socket>()
  /** Users that were told of a connection. */
  readonly #connected = new WeakSet<Socket>()
  #ready: Connection | undefined
  #changed = Promise.withResolvers<void>()

  get count(): number {
    return this.#present.size
  }

  /** Resolves when the next user comes or goes, or the wait is ended by `wake`. */
  change(): Promise<void> {
    return this.#changed.promise
  }

  /** As if somebody had come or gone. */
  wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  add(socket: Socket): void {
    this.#present.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#remove(socket))
    socket.on('end', () => {
      this.#leaving.add(socket)
      this.#remove(socket)
    })
    socket.resume()
    if (this.#ready) this.#say(socket, { ready: this.#ready })
    this.wake()
  }

  notifyReady(connection: Connection): void {
    this.#ready = connection
    for (const socket of this.#present) this.#say(socket, { ready: connection })
  }

  /** Tells those that wait that they do not wait in vain. */
  notifyWaiting(): void {
    if (this.#ready) return
    for (const socket of this.#present) socket.write(line({ waiting: true }))
  }

  /** From now on users that come have to wait. */
  notifyFailed(): void {
    this.#ready = undefined
  }

  /** Turns users away that wait for a first connection; those that had one go on waiting for the next. */
  fail(reason: string): void {
    this.#ready = undefined
    for (const socket of [...this.#present].filter((one) => !this.#connected.has(one))) {
      this.#present.delete(socket)
      socket.end(line({ failed: reason }))
    }
    this.letGo()
  }

  /** Answers those that went in order. */
  letGo(): void {
    for (const socket of this.#leaving) socket.end()
    this.#leaving.clear()
  }

  #say(socket: Socket, message: SupervisorMessage): void {
    this.#connected.add(socket)
    socket.write(line(message))
  }

  #remove(socket: Socket): void {
    if (this.#present.delete(socket)) this.wake()
    if (this.#present.size > 0) this.letGo()
  }
}

const line = (message: SupervisorMessage) => `${JSON.stringify(message)}\n`
