import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

/** Waits until a database accepts queries. @throws its last error after the timeout */
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
