import { contract } from '../src/contract/contract.ts'
import { AdPreviewBody } from '../src/contract/shapes/ad-imports.ts'
import { adImport } from '../src/domain/paid-ads/imports/import-run.ts'
import { performAdImport } from '../src/jobs/kinds/ad-import.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { type Answer, openWorld } from '../tests/support/world.ts'
import { median, percentile, print, printTable } from './figures.ts'

/**
 * A preview of 1,000 inline records through HTTP, when none of them is stored and when all are. Target: under a second.
 * On the server of RIVALSCOPE_TEST_DATABASE_URL where it is set, else on one of our own.
 *
 *   node bench/ads-preview.ts
 */
const rounds = 15

const records = Array.from({ length: 1_000 }, (_, at) => ({
  id: String(900_000_000_000_000_000n + BigInt(at)),
  ad_creative_bodies: [
    `Small tides, every day. Number ${at}. ${'Missed a day again? Tidepool forgives it. '.repeat(6)}`,
  ],
  ad_creative_link_titles: ['Tidepool', 'Try 7 days free'],
  ad_delivery_start_time: '2026-02-20',
  languages: ['en'],
  page_id: String(104_829_173_650_281 + (at % 40)),
  page_name: `Advertiser ${at % 40}`,
  publisher_platforms: ['facebook', 'instagram'],
  eu_total_reach: 10_000 + at,
}))
const body = AdPreviewBody.parse({ platform: 'meta', records })
const bytes = JSON.stringify(body).length
if (bytes > 1024 * 1024) throw new Error(`${bytes} bytes are more than a body can have`)

await using world = await openWorld()
const key = await world.key()
const { method, path: url } = contract.admin_preview_paid_ads

async function preview(): Promise<{ ms: number; examined: unknown; token: string }> {
  const begun = performance.now()
  const reply = await world.request<Answer<'admin_preview_paid_ads'>>({
    method,
    url,
    payload: body,
    headers: { authorization: `Bearer ${key}` },
  })
  const ms = performance.now() - begun
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return { ms, examined: reply.body.examined, token: reply.body.previewToken }
}

async function measure(what: string): Promise<[string, number, number]> {
  await preview()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await preview()).ms)
  return [what, median(times), percentile(times, 0.95)]
}

const fresh = await measure('none stored')
const { token } = await preview()
const imported = await world.call('admin_import_paid_ads', { previewToken: token })
const begun = performance.now()
await workTask(
  world.store.db,
  adImport,
  performAdImport(world.store.db, {}),
)({ workId: imported.body.runId }, new AbortController().signal)
const importMs = performance.now() - begun
const known = await measure('all stored')
const { examined } = await preview()
print(`preview of ${records.length} inline records, ${bytes} bytes`)
printTable(['', 'median ms', 'p95 ms'], [fresh, known])
print(`examined at last: ${JSON.stringify(examined)}; their import took ${Math.round(importMs)} ms`)
print(`target 1,000 ms: ${Math.max(fresh[2], known[2]) < 1_000 ? 'met' : 'missed'}`)
