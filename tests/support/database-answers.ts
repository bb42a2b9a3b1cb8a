import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

/** Waits until a database answers. @throws what it failed with last, when the time is over */
export async function databaseAnswers(url: string, withinSeconds: number): Promise<void> {
  for (const deadline = Date.now() + withinSeconds * 1_000; ; await setTimeout(50)) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select')
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    } finally {
      client.end().catch(() => {})
    }
  }
}
