import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Debian's Chromium. Its headless shell draws the same pages with a third of the processor time, and starts at once. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)

/** Why browser tests are skipped; false where there is a browser. */
export const skip = executablePath ? false : "no browser: install Debian's chromium-headless-shell"

/** Milliseconds after which what a page waits for is taken to hang: many times what the busiest machine was seen to need. */
export const hangs = 120_000

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** Opens a page of a service, and records requests to other hosts and all errors. */
export async function openPage(
  browser: Browser,
  address: string,
  path: string,
  width: number,
): Promise<{ page: Page; trouble: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  page.setDefaultTimeout(hangs)
  const trouble: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
      trouble.push(`left the origin: ${request.url()}`)
  })
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()))
  page.on('pageerror', (error) => trouble.push(error.message))
  await page.goto(`${address}${path}`)
  return { page, trouble }
}
