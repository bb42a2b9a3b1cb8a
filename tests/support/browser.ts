import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** Why browser tests are skipped; false where there is a browser. */
export const skip = existsSync(executablePath) ? false : `no browser at ${executablePath}`

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
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
