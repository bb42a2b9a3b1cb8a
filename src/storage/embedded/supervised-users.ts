import type { Socket } from 'node:net'

/** How to connect to PostgreSQL; `host` is the directory of a socket, or an address. */
export interface PostgresConnection {
  host: string
  port: number
  user: string
  password?: string
  database: string
}

/** Messages of a supervisor to its users, one JSON object per line. */
export type SupervisorMessage =
  /** PostgreSQL accepts connections; sent again after a restart. */
  | { ready: PostgresConnection }
  /** Why PostgreSQL does not start. */
  | { failed: string }
  /** PostgreSQL is being started or stopped, which can take long: it recovers. */
  | { waiting: true }

/**
 * The users of a supervised PostgreSQL: processes with a connection to its supervisor. The operating system closes that
 * connection when the process ends, however it ends. A user that leaves cleanly half-closes it; the supervisor then closes
 * its side: at once while other users remain, or after PostgreSQL has ended when this was the last one.
 */
export class SupervisedUsers {
  readonly #present = new Set<Socket>()
  /** Users that left cleanly and wait for the other side to close. */
  readonly #leaving = new Set<Socket>()
  /** Users that were sent a connection. */
  readonly #connected = new WeakSet<Socket>()
  #ready: PostgresConnection | undefined
  #changed = Promise.withResolvers<void>()

  get count(): number {
    return this.#present.size
  }

  /** Resolves when the next user comes or goes, or the wait is ended by `wake`. */
  change(): Promise<void> {
    return this.#changed.promise
  }

  /** Ends the wait of `change`. */
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

  notifyReady(connection: PostgresConnection): void {
    this.#ready = connection
    for (const socket of this.#present) this.#say(socket, { ready: connection })
  }

  /** Sends a sign of life to the waiting users. */
  notifyWaiting(): void {
    if (this.#ready) return
    for (const socket of this.#present) socket.write(line({ waiting: true }))
  }

  /** From this call on, new users have to wait. */
  notifyFailed(): void {
    this.#ready = undefined
  }

  /** Refuses users that wait for a first connection; those that had one keep waiting for the next. */
  fail(reason: string): void {
    this.#ready = undefined
    for (const socket of [...this.#present].filter((one) => !this.#connected.has(one))) {
      this.#present.delete(socket)
      socket.end(line({ failed: reason }))
    }
    this.letGo()
  }

  /** Closes the connections of users that left cleanly. */
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
