import { Client } from 'pg'
import { until } from './until.ts'

/** Waits until a database accepts queries. @throws with its last error when it never does */
export async function databaseAnswers(url: string): Promise<void> {
  const errorOf = async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select')
      return undefined
    } catch (error) {
      return String(error)
    } finally {
      client.end().catch(() => {})
    }
  }
  await until(errorOf, (error) => error === undefined)
}
