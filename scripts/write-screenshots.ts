/**
 * Writes the pictures of the README, docs/pictures/*.webp: four pages of the demo, as somebody who has just started it
 * sees them. Needs Debian's Chromium, a font with Japanese letters (Debian's `fonts-ipafont-gothic`), and `faketime` for the day
 * of the sample evidence.
 *
 *   npm run screenshots
 */
import { mkdir, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { openBrowser } from '../tests/support/browser.ts'
import { globalSetup, globalTeardown } from '../tests/web/support/one-demo.ts'
import { sampleIds } from '../tests/web/support/sample-ids.ts'

const { app, trackedApp, ad } = sampleIds
const pictures: { name: string; path: string; prepare?: (page: Page) => Promise<void> }[] = [
  { name: 'home', path: '/' },
  { name: 'keywords', path: `/aso/${trackedApp}` },
  { name: 'ranks', path: `/apps/${app}/ranks` },
  { name: 'ad', path: `/creatives/ads/${ad}` },
]
const folder = new URL('../docs/pictures/', import.meta.url)

await globalSetup()
try {
  // The demo's address is known once it has started.
  const { address, settled, visit } = await import('../tests/web/support/visitor.ts')
  await using stack = new AsyncDisposableStack()
  const browser = stack.adopt(await openBrowser(), (one) => one.close())
  const visitor = stack.use(await visit(browser, { scale: 1.5 }))
  await mkdir(folder, { recursive: true })
  for (const { name, path } of pictures) {
    await visitor.page.goto(`${address}${path}`)
    await settled(visitor.page)
    const picture = await sharp(await visitor.page.screenshot())
      .webp({ quality: 82 })
      .toBuffer()
    await writeFile(new URL(`${name}.webp`, folder), picture)
  }
} finally {
  await globalTeardown()
}
