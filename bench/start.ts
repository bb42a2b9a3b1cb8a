import { parseArgs } from 'node:util'
import { median, print, printTable, report } from './figures.ts'
import { serveStore } from './service.ts'
import { catalogueStore } from './stores.ts'

/**
 * From the start of `rivalscope serve` on an existing store to the line that says it answers. Target: under 3 s on
 * the embedded store.
 *
 *   node bench/start.ts                    100,000 apps, embedded and PostgreSQL
 *   node bench/start.ts --apps 20000
 */
const { values } = parseArgs({
  options: { apps: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
})

const rows = []
for (const engine of ['embedded', 'postgres'] as const) {
  const location = await catalogueStore(engine, Number(values.apps))
  const times: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    await using service = await serveStore(location)
    times.push(service.startMs / 1000)
  }
  report({ name: `start of serve, ${engine}`, value: median(times), unit: 's', goal: { atMost: 3 } })
  rows.push([engine, Math.min(...times), median(times), Math.max(...times)])
}
print(`rivalscope serve on an existing store of ${Number(values.apps).toLocaleString('en')} apps, seconds`)
printTable(['engine', 'fastest', 'median', 'slowest'], rows)
