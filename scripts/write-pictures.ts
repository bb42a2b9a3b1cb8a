/**
 * Writes pictures of the pages, as somebody sees them who has just started the demo: with `screenshots` those of the README and with
 * `guide` those of docs/using-the-pages.md, in docs/pictures, with `looks` those that the tests of the pages compare with, tests/web/accepted. A picture that looks as the one
 * before stays, since two screenshots of the same page can differ in a few points.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { openBrowser } from '../tests/support/browser.ts'
import { pages } from '../tests/web/pages.ts'
import { globalSetup, globalTeardown } from '../tests/web/support/one-demo.ts'
import { sampleIds } from '../tests/web/support/sample-ids.ts'
import type { Pixels } from '../tests/web/support/screenshots.ts'
import { filesIn } from './built-files.ts'
import { writeChanged } from './write-changed.ts'

const { app, trackedApp, trackedStoreId, rival } = sampleIds
const ofReadme = {
  home: '/',
  keywords: `/aso/${trackedApp}`,
  ranks: `/apps/${app}/ranks`,
  // An ad that the demo's account saved, with a picture that was kept and an analysis.
  ad: '/creatives/ads/meta/1097685022341965',
}
/** A row is a picture, `guide-<name>.webp`: small, of what the section about it tells. */
const ofGuide = {
  'first-hour': `/start?app=${trackedApp}`,
  home: '/',
  keywords: `/aso/${trackedApp}`,
  gap: `/aso/${trackedApp}/gap/${rival}`,
  plan: `/aso/${trackedApp}/plan`,
  compare: `/apps/compare?apps=${trackedStoreId},${rival}`,
  'heat-map': '/charts/heatmap',
  emerging: '/emerging',
  saved: '/creatives/saved',
  alerts: '/alerts',
  report: '/alerts/report?week=2026-W47',
  files: '/admin/files',
  sources: '/admin/sources',
}
/** What happened while the demo was filled has the time of its store, which is today's. */
const ofToday = new Set(['alerts', 'emerging'])
/** The share of points that may differ between pictures of the same, and from what difference of colour on a point counts. */
const same = { share: 0.001, colour: 0.1 }
const wanted = process.argv.slice(2)

await globalSetup()
try {
  // The demo's address is known once it has started.
  const { address, drawn, settled, visit, widths } = await import('../tests/web/support/visitor.ts')
  const { accepted, asAccepted, differenceOf, pixelsOf, whole } = await import(
    '../tests/web/support/screenshots.ts'
  )

  const write = async (file: URL, { data, info: { width, height } }: Pixels, quality: number) => {
    const picture = await sharp(data, { raw: { width, height, channels: 4 } })
      .webp({ quality })
      .toBuffer()
    if (existsSync(file)) {
      // What is compared has lost as much as what is there.
      const { share } = differenceOf(await pixelsOf(picture), await pixelsOf(readFileSync(file)), same.colour)
      if (share <= same.share) return
    }
    await writeChanged(file, picture)
  }

  await using stack = new AsyncDisposableStack()
  const browser = stack.adopt(await openBrowser(), (one) => one.close())

  if (wanted.includes('screenshots')) {
    await using visitor = await visit(browser, { scale: 1.5 })
    for (const [name, path] of Object.entries(ofReadme)) {
      await visitor.page.goto(`${address}${path}`)
      await settled(visitor.page)
      const file = new URL(`../docs/pictures/${name}.webp`, import.meta.url)
      await write(file, await pixelsOf(await visitor.page.screenshot()), 82)
    }
  }

  if (wanted.includes('guide')) {
    for (const [name, path] of Object.entries(ofGuide)) {
      await using visitor = await visit(browser)
      await visitor.page.setViewportSize({ width: 1280, height: 760 })
      if (ofToday.has(name)) await visitor.context.clock.setFixedTime(new Date())
      await visitor.page.goto(`${address}${path}`)
      await settled(visitor.page)
      const file = new URL(`../docs/pictures/guide-${name}.webp`, import.meta.url)
      await write(file, await pixelsOf(await visitor.page.screenshot()), 60)
    }
  }

  if (wanted.includes('looks')) {
    const names = new Set<string>()
    for (const device of ['desktop', 'phone'] as const)
      for (const { name, path } of pages) {
        await using visitor = await visit(browser, { width: widths[device], theme: 'light' })
        await visitor.page.goto(`${address}${path}`)
        await whole(visitor.page)
        for (const theme of ['light', 'dark'] as const) {
          await visitor.page.emulateMedia({ colorScheme: theme })
          await drawn(visitor.page)
          const picture = `${name}-${device}-${theme}.webp`
          names.add(picture)
          await write(new URL(picture, accepted), await asAccepted(await visitor.page.screenshot()), 70)
        }
      }
    const folder = fileURLToPath(accepted)
    for (const file of await filesIn(folder)) if (!names.has(file)) rmSync(new URL(file, accepted))
  }
} finally {
  await globalTeardown()
}
