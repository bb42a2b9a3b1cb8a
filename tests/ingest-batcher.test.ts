import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { IngestBatcher } from '../src/jobs/collecting/ingest-batcher.ts'
import { firstRow } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { collected } from './support/collected.ts'
import { cuttableWayTo } from './support/cuttable-way.ts'
import { openInstallation } from './support/installation.ts'
import { until } from './support/until.ts'

test('an answer whose attempt ended while the database was away is stored once it is back', async () => {
  await using installation = await openInstallation()
  await using way = await cuttableWayTo(installation.databaseUrl)
  await using store = await openStore({ databaseUrl: way.url }, 'test')
  const results = [{ wrapperType: 'software', kind: 'software', trackId: 8000000001, trackName: 'Lantern' }]
  const bytes = Buffer.from(JSON.stringify({ resultCount: 1, results }))
  const answer = collected('itunes-lookup', bytes, { country: 'us' }, '2026-03-01T12:00:00Z')
  way.cut()
  const attempt = new AbortController()
  const kept = new IngestBatcher(store.db).store(answer, attempt.signal)
  attempt.abort(new Error('the attempt ended'))
  await assert.rejects(kept, /the attempt ended/)
  await way.mend()
  const stored = await until(
    () => firstRow(store.db, sql<{ readings: number }>`select count(*)::int as readings from readings`),
    (row) => row?.readings === 1,
  )
  assert.equal(stored?.readings, 1)
})
