import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { sampleApps } from '../../sample/apps.ts'
import { archiveDemoMedia, demoMediaHost, demoNetwork } from '../../sample/demo/media.ts'
import { performingOn } from '../../sample/demo/performing.ts'
import { samplePaidAds } from '../../sample/paid-ads.ts'
import { samplePosts } from '../../sample/posts.ts'
import { importSample } from '../../src/imports/import-sample.ts'
import { until } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

const span = { seed: 7, until: '2026-11-20' }
const parts = new AsyncDisposableStack()
const world = parts.use(
  await openWorld({ works: true, network: demoNetwork(span), media: { hosts: [demoMediaHost] } }),
)
after(() => parts.disposeAsync())
const apps = sampleApps(span)
const ads = [...samplePaidAds(apps, span)]
await importSample(world.store.db, [...samplePosts(apps, span), ...ads], () => {})

interface Named {
  platform: string
  archiveId: string
}
/** The first of all ads by their id; the demo keeps media of the very first ones. */
const named = ads
  .flatMap(({ content }) =>
    content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Named),
  )
  .filter(({ archiveId }, at, all) => all.findIndex((other) => other.archiveId === archiveId) === at)
  .sort((one, other) => (one.archiveId < other.archiveId ? -1 : 1))
  .slice(0, 50)
const showAd = async ({ platform, archiveId }: Named) =>
  (await world.call('get_paid_ad', { platform, archiveId })).body

test('the demo shows kept pictures, and media of every other kind, without asking anybody', async () => {
  await performingOn(world.store.db, world.archive)(archiveDemoMedia)
  const shown = []
  for (const ad of named) shown.push(...(await showAd(ad)).creatives)
  const statuses = new Set(shown.map(({ mediaStatus }) => mediaStatus.status))
  assert.deepEqual([...statuses].sort(), ['not-kept', 'removed-upstream', 'stored', 'text-only'])
  const { kept, width, height } =
    shown.find(({ mediaStatus }) => mediaStatus.status === 'stored')?.media[0] ?? assert.fail()
  const served = await world.server.inject({ method: 'GET', url: kept.url })
  assert.equal(served.headers['content-type'], 'image/jpeg')
  const picture = await sharp(served.rawPayload).metadata()
  assert.deepEqual([picture.width, picture.height], [width.value, height.value])
})

test('an ad that is saved in the demo has its pictures drawn', async () => {
  const untouched: Named[] = []
  for (const ad of named) {
    const { creatives } = await showAd(ad)
    const [creative] = creatives
    if (creative.mediaStatus.status === 'not-kept' && creative.media[0]?.kind === 'image') untouched.push(ad)
    if (untouched.length === 5) break
  }
  for (const { platform, archiveId } of untouched)
    await world.call('save_paid_ad', { platform, archiveId, tags: [] })
  const ended = await until(
    () => Promise.all(untouched.map(async (ad) => (await showAd(ad)).creatives[0].mediaStatus.status)),
    (all) => all.every((status) => status !== 'pending'),
  )
  assert.ok(ended.includes('stored'), String(ended))
})
