import { hash } from 'node:crypto'
import { connect } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { isMarkedPrepared } from './prepared.ts'

/** SQLSTATE `disk_full`. */
export const diskFull = '53100'

/** How long to wait for a connection: a busy machine takes seconds to open one, and a long import should not fail for that. */
export const connectionTimeoutMs = 30_000

/** Options of a connection to the store; pools hand theirs on. */
export interface StoreClientConfig extends ClientConfig {
  /**
   * Whether the connection finds its prepared statements again, as is usual. Where not, behind some poolers, it sends no named
   * statements: libraries, such as the one for rate limits, name their own.
   */
  prepares?: boolean
  /**
   * Cancels statements that take longer, where the session cannot have a `statement_timeout`: a pooler in transaction mode
   * shares its sessions, and forwards a cancel request to the session that is lent. The statement fails as with
   * `statement_timeout`.
   */
  statementLimitMs?: number
}

/** The cancel key that a connection received at startup: undocumented in the driver, and present in all of its versions. */
interface Begun {
  processID: number | null
  secretKey: number | null
}

/**
 * A connection to the store. It prepares the statements that `prepared` marks, under names derived from their texts.
 *
 * Its process may wait for a core, or be stopped: only time in which the process runs counts towards its timeout of
 * connecting. Statements after its end are rejected with the reason; the driver reports it only once, and to nobody where no
 * statement runs.
 */
export class StoreClient extends Client {
  readonly #prepares: boolean
  readonly #statementLimitMs: number | undefined
  #endedBy: Error | undefined
  /** Called when a statement is refused because the disk of the database is full. */
  onFullDisk: (() => void) | undefined

  constructor(config: StoreClientConfig = {}) {
    super(config)
    this.#prepares = config.prepares ?? true
    this.#statementLimitMs = config.statementLimitMs
    this.on('error', (error) => {
      this.#endedBy ??= error
    })
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === diskFull) this.onFullDisk?.()
    })
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const stopWaiting = afterRunning(connectionTimeoutMs, () =>
      this.connection.stream.destroy(new Error('timeout expired')),
    )
    if (!callback)
      return super
        .connect()
        .then(() => this)
        .finally(stopWaiting)
    super.connect((error: Error) => {
      stopWaiting()
      callback(error)
    })
    return undefined
  }

  // biome-ignore lint/suspicious/noExplicitAny: a method of many overloads, which are handed on as they are
  override query(asked: any, ...rest: any[]): any {
    const submitsItself = typeof asked?.submit === 'function'
    if (this.#endedBy && !submitsItself && typeof rest.at(-1) !== 'function')
      return Promise.reject(this.#endedBy)
    const sent = submitsItself ? asked : this.#named(asked)
    const answer: unknown = Reflect.apply(super.query, this, [sent, ...rest])
    if (this.#statementLimitMs === undefined || !(answer instanceof Promise)) return answer
    const timer = setTimeout(() => this.#cancelStatement(), this.#statementLimitMs)
    timer.unref()
    return answer.finally(() => clearTimeout(timer))
  }

  #named(asked: string | { name?: string }): unknown {
    if (typeof asked !== 'string') return this.#prepares ? asked : { ...asked, name: undefined }
    return this.#prepares && isMarkedPrepared(asked) ? { name: nameOf(asked), text: asked } : asked
  }

  /** A cancel request has no response: the statement fails. Source: PostgreSQL's protocol, "Canceling Requests in Progress". */
  #cancelStatement(): void {
    const { processID, secretKey } = this as unknown as Begun
    if (processID === null || secretKey === null) return
    const message = Buffer.alloc(16)
    for (const [index, value] of [message.length, cancelRequest, processID, secretKey].entries())
      message.writeInt32BE(value, 4 * index)
    const { host, port } = this
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    // The connection stays open until the other side closes it: a pooler drops requests of closed connections. Errors are
    // ignored: where this connection fails, that of the statement fails too.
    socket.on('error', () => {}).setTimeout(patienceMs, () => socket.destroy())
    socket.write(message)
    socket.resume()
  }
}

const patienceMs = 30_000
const cancelRequest = 80_877_102

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `rivalscope_${hash('sha256', text, 'base64url')}`
  names.set(text, name)
  return name
}

/**
 * Calls `act` once this process has run for that long. At most one tick falls due while it is stopped.
 * @returns a function that cancels the wait
 */
function afterRunning(milliseconds: number, act: () => void): () => void {
  let ticks = 30
  const timer = setInterval(() => {
    if (--ticks > 0) return
    clearInterval(timer)
    act()
  }, milliseconds / ticks)
  timer.unref()
  return () => clearInterval(timer)
}
