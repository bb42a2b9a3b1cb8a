import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { openFolder } from '../support/files.ts'
import { importPosts, madePost } from '../support/posts.ts'
import { storeTracked } from '../support/tracking.ts'
import { turnedTexts } from './support/directions.ts'
import { staysResponsive } from './support/main-thread.ts'
import { appsOf, type OwnService, openOwnService } from './support/own-service.ts'
import { onSlowLine } from './support/slow-line.ts'
import { fitsScreen, settled, widths } from './support/visitor.ts'

const parts = new AsyncDisposableStack()
let service: OwnService
let browser: Browser
before(async () => {
  if (skip) return
  const folder = parts.use(openFolder())
  service = parts.use(await openOwnService())
  const { world } = service
  const paths = [folder.write('apps.ndjson', appsOf(strangeApps))]
  await world.import({ kind: 'catalogue', paths, country: 'us', observedAt: '2026-11-20' })
  const ads = strangers.map(([, text], index) => ({
    platform: 'meta',
    archiveId: String(700 + index),
    advertiser: { id: String(5_000 + index), name: text },
    creatives: [{ title: text, text: `${text} ${text}`, media: [], callToActionText: text.slice(0, 100) }],
    startedOn: '2026-11-02',
    active: true,
    countries: ['us'],
    observedAt: '2026-11-20T06:00:00Z',
  }))
  await world.import({ kind: 'paid-ads', paths: [folder.write('ads.json', JSON.stringify(ads))] })
  await importPosts(
    world,
    strangers.map(([, text], index) => {
      const post = madePost(String(800 + index), { text: `${text} ${text}` })
      return { ...post, author: { ...post.author, name: text } }
    }),
  )
  browser = await openBrowser()
  parts.defer(() => browser.close())
})
after(() => parts.disposeAsync())

/** Texts that strangers write, by what they try. What they say themselves begins with zz. */
const strangers = [
  ['markup', '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>"\'`&lt;'],
  ['marks that turn what follows', 'zzover \u202ezzturned \u2067zzopen'],
  ['marks that close what was opened', 'zzclose\u2069\u2069\u202c \u202ezzturned'],
  ['right to left', 'مخطط اليوم zzday תכנון'],
  ['one word without end', `zzlong${'W'.repeat(190)}`],
] as const
const draftIdOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`
const strangeApps = strangers.map(([, name], index) => ({ storeId: 7_000_001 + index, name, developer: name }))

interface AddedTerms {
  added: { keyword: { term: string } }[]
  refused: { given: string }[]
}

test('5,000 keywords are pasted without blocking the page and sent once each; what is refused is told, what has no room stays', {
  skip,
}, async () => {
  const { world, address } = service
  const appId = await storeTracked(world, { storeId: '7000001', account: 'paster' })
  const key = await world.key(undefined, 'paster')
  await using visitor = await service.visit(browser, key)
  const { page, context, trouble } = visitor
  const replies: Promise<AddedTerms>[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/keywords'))
      replies.push(response.json() as Promise<AddedTerms>)
  })
  await page.goto(`${address}/aso/${appId}`)
  await settled(page)
  const refused = ['!!!', '★★★', '???']
  const pasted = [...refused, ...Array.from({ length: 4_997 }, (_, index) => `habit tracker ${index}`)]
  await page.getByRole('button', { name: 'Add keywords' }).click()
  const box = page.getByRole('textbox', { name: 'Keywords' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted.join('\n'))})`)
  await staysResponsive(page, async () => {
    await box.fill('')
    await page.getByText('0 to add.').waitFor()
    return async () => {
      await box.press('Control+V')
      await page.getByText('5,000 to add, in 25 batches.').waitFor()
    }
  })
  await page.getByText('2,000 more can be added').waitFor()
  await page.getByRole('button', { name: 'Add 5,000' }).click()
  await page.getByText('2,000 keywords added').waitFor()
  await page.getByRole('button', { name: 'Add 2,997' }).waitFor()
  const calls = (await Promise.all(replies)).map(({ added, refused }) => [
    ...added.map(({ keyword }) => keyword.term),
    ...refused.map(({ given }) => given),
  ])
  assert.deepEqual(new Set(calls.map((terms) => terms.length)), new Set([200]))
  assert.equal(new Set(calls.flat()).size, 2_200, 'each term is sent once, and none after the app is full')
  const told = page.getByRole('region', { name: 'Rejected keywords' })
  for (const term of refused) await told.getByText(term, { exact: true }).waitFor()
  const left = (await box.inputValue()).split('\n')
  const { body } = await world.call('get_aso_workstation', { appId }, { key })
  const { keywords } = body as { keywords: { term: string }[] }
  assert.equal(keywords.length, 2_000)
  const kept = [...keywords.map(({ term }) => term), ...left, ...refused]
  assert.deepEqual(kept.toSorted(), pasted.toSorted(), 'no term vanishes, and none is in two places')
  assert.deepEqual(trouble, [])
})

async function looksUnharmed(page: Page, where: string): Promise<void> {
  assert.equal(await page.evaluate('window.hacked'), undefined, `${where}: a script ran`)
  assert.equal(await page.locator('img[src="x"], script:not([src]):not([id])').count(), 0, where)
  await fitsScreen(page, where)
  assert.deepEqual(await turnedTexts(page, /^(?:zz|W{4})/), [], where)
}

test('names and texts of strangers are shown as text, on a phone, and change nothing beside them', {
  skip,
}, async () => {
  const { world, address } = service
  const key = await world.key(undefined, 'reader')
  const appIds: string[] = []
  for (const [index, [, text]] of strangers.entries()) {
    const storeId = String(7_000_001 + index)
    appIds.push(await storeTracked(world, { storeId, account: 'reader', keywords: ['plan'] }))
    const marks = { note: text, tags: [text.slice(0, 50)] }
    await world.call('save_paid_ad', { platform: 'meta', archiveId: String(700 + index), ...marks }, { key })
    await world.call('save_organic_content', { postId: `tiktok_${800 + index}`, ...marks }, { key })
    const kept = await world.request({
      method: 'PUT',
      url: `/listing-drafts/${draftIdOf(index)}`,
      headers: { authorization: `Bearer ${key}` },
      payload: {
        ...{ storeId, country: 'us', version: null, name: text.slice(0, 100) },
        texts: { 'en-US': { name: text.slice(0, 60), 'keyword-field': `plan,${text}`.slice(0, 200) } },
      },
    })
    assert.equal(kept.status, 201)
  }
  await using visitor = await service.visit(browser, key, widths.phone)
  const { page, trouble } = visitor
  const ofAll = [
    '/',
    '/apps',
    '/apps?view=cards',
    '/aso',
    '/creatives/ads',
    '/creatives/posts',
    '/creatives/saved',
  ]
  const ofOne = strangers.flatMap((_, index) => [
    `/aso/${appIds[index]}`,
    `/aso/${appIds[index]}/plan?draft=${draftIdOf(index)}`,
    `/creatives/ads/meta/${700 + index}`,
    `/creatives/posts/tiktok_${800 + index}`,
    `/apps/${7_000_001 + index}`,
  ])
  for (const path of [...ofAll, ...ofOne]) {
    await page.goto(`${address}${path}`)
    await settled(page)
    await looksUnharmed(page, path)
    if (!path.startsWith('/apps/')) continue
    await page.getByRole('button', { name: 'Tracked: My app' }).click()
    await page
      .getByRole('menuitem', { name: /^Track as a competitor/ })
      .first()
      .click()
    await page.getByText('is now tracked as a competitor').waitFor()
    await looksUnharmed(page, `a notice on ${path}`)
  }
  assert.deepEqual(trouble, [])
})

test('a rival of an app with a name without end fits a phone: its role, its menu and its dialog', {
  skip,
}, async () => {
  const { world, address } = service
  const account = 'rival of the endless'
  const key = await world.key(undefined, account)
  const rivalOf = await storeTracked(world, { storeId: '7000005', account })
  const rival = await storeTracked(world, { storeId: '7000001', account })
  const role = { appId: rival, role: 'rival', rivalOf }
  assert.equal((await world.call('update_aso_app_role', role, { key })).status, 200)
  await using visitor = await service.visit(browser, key, widths.phone)
  const { page, trouble } = visitor
  await page.goto(`${address}/aso/${rival}`)
  await settled(page)
  const shown = page.getByRole('main').getByText(/^Competitor of .*zzlong/)
  await shown.first().waitFor()
  await fitsScreen(page, 'its workstation')

  await page.goto(`${address}/apps/7000002`)
  await settled(page)
  await page.getByRole('button', { name: 'Track', exact: true }).click()
  await page.getByRole('menuitem', { name: /^Track as a competitor of .*zzlong/ }).waitFor()
  await fitsScreen(page, 'the menu of an app')

  await page.goto(`${address}/apps/7000005`)
  await settled(page)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Watch zzlong/ })
  await dialog.getByRole('button', { name: 'Close' }).waitFor()
  await fitsScreen(page, 'what is watched of it')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(trouble, [])
})

test('back and forward show each page as it was left, with what its address says', { skip }, async () => {
  await using visitor = await service.visit(browser, await service.world.key(undefined, 'walker'))
  const { page, trouble } = visitor
  await page.goto(`${service.address}/apps?view=cards`)
  await settled(page)
  const search = page.getByRole('main').getByRole('searchbox')
  await search.fill('zzday')
  await page.waitForURL(/q=zzday/)
  await page.getByRole('main').getByRole('link', { name: /zzday/ }).first().click()
  await page.waitForURL(/apps\/7000004/)
  await page.getByRole('link', { name: 'Listing' }).click()
  await page.waitForURL(/listing/)
  await page.goBack()
  await page.getByRole('heading', { name: 'Description' }).waitFor()
  await page.goBack()
  await page.getByRole('main').getByRole('searchbox').waitFor()
  assert.equal(await search.inputValue(), 'zzday')
  assert.match(page.url(), /view=cards/)
  await page.goForward()
  await page.goForward()
  await page.waitForURL(/listing/)
  await page.getByRole('heading', { level: 1, name: /zzday/ }).waitFor()
  assert.deepEqual(trouble, [])
})

test('a button pressed twice on a slow line sends one write', { skip }, async () => {
  const { world, address } = service
  const appId = await storeTracked(world, { storeId: '7000001', account: 'hasty' })
  await using visitor = await service.visit(browser, await world.key(undefined, 'hasty'))
  const { page, trouble } = visitor
  const sent: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'])
  })
  await onSlowLine(page)
  await page.goto(`${address}/creatives/ads/meta/700`)
  await settled(page)
  await page.getByRole('button', { name: 'Save', exact: true }).last().dblclick()
  await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor()
  assert.equal(sent.length, 1)
  await page.goto(`${address}/aso/${appId}`)
  await settled(page)
  await page.getByRole('button', { name: 'Add keywords' }).click()
  await page.getByRole('textbox', { name: 'Keywords' }).fill('night owl')
  await page.getByRole('button', { name: 'Add 1' }).dblclick()
  await page.getByText('1 keyword added').waitFor()
  assert.equal(sent.length, 2)
  assert.deepEqual(trouble, [])
})

test('the history of a listing may be older than one question about charts reaches: every change still shows its ranks', {
  skip,
}, async () => {
  const { world, address } = service
  using folder = openFolder()
  for (const [name, observedAt] of [
    ['zzfirst name', '2020-01-06'],
    ['zzsecond name', '2020-01-20'],
    ['zzthird name', '2026-10-05'],
  ] as const)
    await world.import({
      kind: 'catalogue',
      paths: [folder.write(`${observedAt}.ndjson`, appsOf([{ storeId: 7_000_009, name }]))],
      country: 'us',
      observedAt,
    })
  for (const day of ['2020-01-15', '2026-10-01'])
    await world.import({ kind: 'charts', paths: [folder.write(`${day}.json`, chartOf('us', 'top-free', day))] })
  await using visitor = await service.visit(browser, await world.key(undefined, 'old-hand'))
  const { page, trouble } = visitor
  await page.goto(`${address}/apps/7000009/listing`)
  await settled(page)
  await page.getByRole('figure', { name: 'Chart ranks and listing changes' }).waitFor()
  await page.getByText('Ranks around this change').last().click()
  await page.getByRole('figure', { name: 'Chart ranks around the change' }).nth(1).waitFor()
  const history = page.getByRole('region', { name: 'Chart ranks and listing changes' })
  await history.getByRole('button', { name: 'Earlier ranks' }).click()
  await history.getByText('Not ranked in any collected chart in this period').waitFor()
  await history.getByRole('button', { name: 'Earlier ranks' }).click()
  await history.getByRole('figure').waitFor()
  assert.equal(
    await history.getByRole('button', { name: 'Earlier ranks' }).count(),
    0,
    'that is the oldest part',
  )
  await history.getByRole('button', { name: 'Latest ranks' }).click()
  await history.getByRole('button', { name: 'Earlier ranks' }).waitFor()
  await history.getByRole('figure').waitFor()
  assert.deepEqual(trouble, [])
})

test('where the usual chart of a storefront was never collected, the charts page opens on one that was', {
  skip,
}, async () => {
  const { world, address } = service
  using folder = openFolder()
  const paths = [folder.write('paid.json', chartOf('fr', 'top-paid', '2026-10-01'))]
  await world.import({ kind: 'charts', paths })
  await using visitor = await service.visit(browser, await world.key(undefined, 'chart-reader'))
  const { page, trouble } = visitor
  await page.goto(`${address}/charts?country=fr`)
  await page.waitForURL(/chart=top-paid&category=36&device=iphone/)
  await page.getByText('Apple returned').waitFor()
  await page.goto(`${address}/charts?country=fr&chart=top-free`)
  await page.getByText('This chart is not collected in France yet').waitFor()
  await page.getByRole('link', { name: /Top Paid/ }).waitFor()
  assert.ok(
    trouble.every((text) => text.includes('404')),
    trouble.join('\n'),
  )
})

const chartOf = (country: string, chart: string, day: string) =>
  JSON.stringify({
    feed: {
      id: `https://rss.marketingtools.apple.com/api/v2/${country}/apps/${chart}/100/apps.json`,
      updated: `${day}T06:00:00Z`,
      results: [{ id: '7000009', name: 'zz', artworkUrl100: 'https://example.com/i.png' }],
    },
  })
