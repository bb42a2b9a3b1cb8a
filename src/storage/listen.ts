import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'
import { LastingClient } from './lasting-client.ts'

/** Seconds before a lost connection is opened again. */
const reconnectSeconds = 2

interface Connection {
  client: LastingClient
  /** Settles when the connection has ended, whoever ended it. */
  ended: Promise<void>
}

/** A subscription to a channel of the store. */
interface Listening {
  close(): Promise<void>
}

/**
 * Listens to a channel of the store on a connection of its own, which is reopened whenever it is lost. Notifications sent
 * meanwhile are lost.
 * @param pool whose options connections are opened with
 * @param onConnect called whenever listening begins
 */
export async function listen(
  pool: Pool,
  channel: string,
  onNotification: (payload: string) => void,
  onConnect: () => void,
): Promise<Listening> {
  const closing = new AbortController()
  let connection = await connect()
  const ended = keepConnected()
  return {
    async close() {
      closing.abort()
      await connection.client.end().catch(() => {})
      await ended
    },
  }

  async function connect(): Promise<Connection> {
    const client = new LastingClient({ ...pool.options, keepAlive: true })
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', () => {})
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    onConnect()
    return { client, ended }
  }

  async function keepConnected(): Promise<void> {
    for (;;) {
      await connection.ended
      const next = await reconnect()
      if (!next) return
      connection = next
      // The subscription was closed while the connection was being opened.
      if (closing.signal.aborted) await next.client.end().catch(() => {})
    }
  }

  /** @returns undefined once the subscription is closed */
  async function reconnect(): Promise<Connection | undefined> {
    while (!closing.signal.aborted) {
      await setTimeout(reconnectSeconds * 1_000, undefined, { signal: closing.signal }).catch(() => {})
      const next = closing.signal.aborted ? undefined : await connect().catch(() => undefined)
      if (next) return next
    }
    return undefined
  }
}
