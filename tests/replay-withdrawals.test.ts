import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adImport } from '../src/domain/paid-ads/imports/import-run.ts'
import { performAdImport } from '../src/jobs/kinds/ad-import.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { replay } from '../src/projections/replay.ts'
import { adsState } from './support/ads-state.ts'
import { operate } from './support/operator.ts'
import { pause } from './support/pause.ts'
import { until } from './support/until.ts'
import { openWorld } from './support/world.ts'

test('what an account or the operator withdraws during a replay is gone afterwards, and stays gone', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const perform = workTask(db, adImport, performAdImport(db, world.collecting.adLibraries))
  const brought = async (archiveId: string): Promise<string> => {
    const record = {
      platform: 'meta',
      archiveId,
      advertiser: { id: '5001', name: 'Tidepool Habits' },
      creatives: [{ text: 'Made up' }],
      observedAt: '2026-03-01T08:00:00Z',
    }
    const { body } = await world.call('admin_import_paid_ads', { platform: 'meta', records: [record] })
    await perform({ workId: body.runId }, new AbortController().signal)
    return body.runId
  }
  // A request waits for the replay for as long as requests may, and is asked again then.
  const withdrawn = async (withdrawRunId: string) => {
    const { status } = await until(
      () => world.call('admin_import_paid_ads', { withdrawRunId }),
      (reply) => reply.status !== 503,
    )
    assert.equal(status, 200)
  }
  await brought('100')
  const before = await adsState(db)
  const runs = await Promise.all(Array.from({ length: 8 }, (_, at) => brought(String(101 + at))))
  const withdrawals: Promise<unknown>[] = []
  await replay(
    db,
    () => {
      // From the first batch until behind the exchange of the tables.
      for (const [at, id] of runs.splice(0).entries())
        withdrawals.push(
          pause(at * 40, 'they come all along the replay').then<unknown>(() =>
            at % 2 === 0 ? operate(world, { command: 'evidence withdraw', options: { id } }) : withdrawn(id),
          ),
        )
    },
    new AbortController().signal,
    ['ads'],
  )
  await Promise.all(withdrawals)
  assert.equal(withdrawals.length, 8)
  assert.deepEqual(await adsState(db), before)
  await replay(db, () => {}, new AbortController().signal, ['ads'])
  assert.deepEqual(await adsState(db), before)
})
