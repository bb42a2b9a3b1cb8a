import { join } from 'node:path'
import { demoConfig } from '../sample/demo/demo.ts'
import type { ServiceConfig } from '../src/app.ts'
import { makeDatabase, openTestServer } from '../src/storage/testing.ts'
import { openFolder } from '../tests/support/files.ts'

/** The evening of the last day of the sample evidence: the present of everything that is recorded on it. */
export const recordedAt = new Date('2026-11-20T20:00:00Z')

/** A demo on a database of its own, to be filled and started where the clock shows `recordedAt`. */
export async function sampleConfig(parts: AsyncDisposableStack): Promise<ServiceConfig> {
  const { path } = parts.use(openFolder())
  const server = parts.use(await openTestServer())
  const { url } = parts.use(await makeDatabase(server.url))
  const options = { dataDir: join(path, 'demo'), host: '127.0.0.1', port: 0, logLevel: 'silent' }
  const config = await demoConfig(options, parts)
  return { ...config, location: { databaseUrl: url }, rateLimit: 0 }
}
