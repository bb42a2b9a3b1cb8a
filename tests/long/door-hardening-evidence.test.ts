import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { contract } from '../../src/contract/contract.ts'
import { openFolder } from '../support/files.ts'
import { callsAbout, reads } from '../support/reads.ts'
import { cut, hostileTexts, staysAwake } from '../support/stalls.ts'
import { until } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld({ works: true })
after(() => world[Symbol.asyncDispose]())

/** An ad as Meta's API answers it, about as large as one may be, all of it strange. */
const apiAd = (archiveId: string, text: string) => ({
  id: archiveId,
  page_id: '4711',
  page_name: cut(text, 20_000),
  ad_delivery_start_time: '2026-01-01',
  bylines: cut(text, 20_000),
  ad_creative_bodies: [cut(text, 300_000)],
  ad_creative_link_titles: [cut(text, 20_000)],
  ad_creative_link_descriptions: [`apple.com ${cut(text, 50_000)}`],
  ad_creative_link_captions: [cut(text, 20_000)],
  languages: ['en'],
})

/** The same as the pages of Meta's library have it. */
const pageAd = (archiveId: string, text: string) => ({
  adArchiveID: archiveId,
  pageID: '4711',
  pageName: cut(text, 20_000),
  isActive: true,
  startDate: 1_767_225_600,
  snapshot: {
    title: cut(text, 20_000),
    body: { markup: { __html: cut(text, 200_000) } },
    link_description: `apple.com ${cut(text, 100_000)}`,
    caption: cut(text, 20_000),
    link_url: `https://apps.apple.com/${encodeURIComponent(cut(text, 20_000))}`,
    cta_text: cut(text, 1_000),
    display_format: 'image',
    images: [{ original_image_url: `https://a.fbcdn.net/${encodeURIComponent(cut(text, 10_000))}` }],
    videos: [],
    cards: [],
  },
})

/** Recognising languages, and the phrases of ads, are read when they are first needed. */
before(async () => {
  await world.call('admin_import_paid_ads', {
    platform: 'meta',
    records: [apiAd('99', 'An ordinary ad that says what there is to say in some words of English.')],
  })
  const ad = { platform: 'meta', archiveId: '99' }
  await until(
    () => world.call('analyze_paid_ad_creative', ad),
    ({ status }) => status === 202,
  )
  await until(
    async () => (await world.call('get_paid_ad', ad)).body.analysis,
    (reading) => reading !== null && reading.finishedAt !== null,
  )
})

const forms = { 'of the API': apiAd, 'of the pages': pageAd }
const strange = { ...hostileTexts, 'letters without end': `https%3a%2f${'a'.repeat(1_000_000)}` }

let next = 1
for (const [form, adOf] of Object.entries(forms))
  for (const [kind, text] of Object.entries(strange))
    test(`ads ${form} that hold ${kind} are previewed, stored, found and analysed with everybody else served`, async () => {
      const ad = { platform: 'meta', archiveId: '' }
      // Another ad at each attempt, since one that is known takes less work.
      const another = () => {
        ad.archiveId = String(next++)
        return { platform: 'meta', records: [adOf(ad.archiveId, text)] }
      }
      await staysAwake('the preview', async () => {
        const { body } = await world.call('admin_preview_paid_ads', another())
        assert.equal(body.examined?.new, 1, JSON.stringify(body).slice(0, 500))
      })
      await staysAwake('the import', async () => {
        const { body } = await world.call('admin_import_paid_ads', another())
        const run = await until(
          async () => (await world.call('admin_get_paid_ad_import', { runId: body.runId })).body,
          ({ status }) => status !== 'queued' && status !== 'running',
        )
        assert.equal(run.status, 'succeeded', JSON.stringify(run).slice(0, 500))
      })
      await staysAwake('the ad', () => world.call('get_paid_ad', ad))
      await staysAwake('the search', () => world.call('search_paid_ads', { q: 'word' }))
      await staysAwake('saving', () => world.call('save_paid_ad', ad))
      for (const [tool, part] of [
        ['analyze_paid_ad_creative', 'analysis'],
        ['generate_paid_ad_transcript', 'transcript'],
      ] as const)
        await staysAwake(contract[tool].summary, async () => {
          assert.equal((await world.call(tool, { ...ad, force: true })).status, 202)
          await until(
            async () => (await world.call('get_paid_ad', ad)).body[part],
            (reading) => reading !== null && reading.finishedAt !== null,
          )
        })
    })

for (const [kind, text] of Object.entries({ ...strange, 'addresses of mail': '@a.'.repeat(200_000) }))
  test(`an app whose listing holds ${kind} is shown with everybody else served`, async () => {
    const storeId = String(500 + next++)
    await using folder = openFolder()
    const path = join(folder.path, 'lookup.json')
    const reported = { trackId: Number(storeId), wrapperType: 'software', kind: 'software' }
    await writeFile(
      path,
      JSON.stringify({
        resultCount: 1,
        results: [
          {
            ...reported,
            trackName: 'Strange',
            artistName: `Somebody ${cut(text, 200)}`,
            description: `Some words that say in which language. ${cut(text, 95_000)}`,
            releaseNotes: cut(text, 95_000),
          },
        ],
      }),
    )
    const summary = await world.import({
      kind: 'catalogue',
      paths: [path],
      country: 'us',
      observedAt: '2026-03-01',
    })
    assert.equal(summary.stored, 1, JSON.stringify(summary))
    for (const [tool] of reads.filter(([, row]) => row.params?.shape.storeId))
      for (const app of callsAbout(tool, { storeId: [{ storeId }] }))
        await staysAwake(tool, async () => assert.equal((await world.call(tool, { ...app })).status, 200))
  })
