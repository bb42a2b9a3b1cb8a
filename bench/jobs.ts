import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { estimateRefresh, refreshEstimates, refreshSubject } from '../src/domain/estimates/refresh.ts'
import { askForWork } from '../src/domain/work/ask-for-work.ts'
import { openQueue } from '../src/jobs/open-queue.ts'
import { enqueueOn } from '../src/jobs/queue.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { rows } from '../src/storage/database.ts'
import { jobPartsOf } from '../tests/support/collecting.ts'
import { until } from '../tests/support/until.ts'
import { openWorld } from '../tests/support/world.ts'
import { print, printTable, report } from './figures.ts'

/**
 * How many refreshes of estimates one worker gets through in a second, of apps without charts, so that the queue is what costs;
 * beside the same refreshes in a row without a queue, and one job a poll. Then how long a job that is added to an empty queue
 * waits for an idle worker. Target: 40 a second.
 *
 *   bin/node bench/jobs.ts [--jobs 400]
 */
const { values } = parseArgs({ options: { jobs: { type: 'string', default: '400' } } })
const jobs = Number(values.jobs)
const alone = 50

await using world = await openWorld()
const { db } = world.store
const storeIds = Array.from({ length: jobs + alone }, (_, index) => 8_000_000 + index)
const inputs = storeIds.map((id) => ({ storeId: String(id), country: 'us' as const }))
await using queue = await openQueue(world.store, true, (error) => {
  throw error
})
const ask = async (input: (typeof inputs)[number]) => {
  const asked = { kind: estimateRefresh, subject: refreshSubject(input), input }
  return (await askForWork(db, enqueueOn(queue), asked)).workId
}
const left = async () => {
  const [row] = await rows(
    db,
    sql<{ left: number }>`select count(*)::int as left from work where finished_at is null`,
  )
  return row?.left ?? 0
}

const first = inputs.slice(0, jobs)
const began = performance.now()
for (const input of first) await refreshEstimates(db, input, new Date())
const bare = jobs / ((performance.now() - began) / 1_000)

for (const input of first) await ask(input)
const processor = process.cpuUsage()
await using _worker = await startWorker({ ...jobPartsOf(world), queue })
const started = performance.now()
await until(left, (count) => count === 0)
const seconds = (performance.now() - started) / 1_000
const { user, system } = process.cpuUsage(processor)

const waits: number[] = []
for (const input of inputs.slice(jobs)) {
  const asked = performance.now()
  const workId = await ask(input)
  for (;;) {
    const [work] = await rows(
      db,
      sql<{ ended: boolean }>`
        select finished_at is not null as ended from work where work_id = ${workId}::uuid`,
    )
    if (work?.ended) break
  }
  waits.push(performance.now() - asked)
}
const [doubled] = await rows(
  db,
  sql<{ count: number }>`select count(*)::int as count from work where attempts > 1`,
)
waits.sort((one, other) => one - other)

report({ name: 'jobs of one worker', value: jobs / seconds, unit: '/s', goal: { atLeast: 40 } })
printTable(
  ['one worker', 'refreshes a second'],
  [
    ['without a queue', bare],
    ['through the queue', jobs / seconds],
  ],
)
print(`${((user + system) / 1_000 / jobs).toFixed(1)} ms of this process's processor a job`)
print(`${doubled?.count} of ${jobs + alone} were begun twice`)
print(`from adding one to its end, worker idle: median ${waits[alone / 2]?.toFixed(0)} ms`)
