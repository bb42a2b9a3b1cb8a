import type { Page } from 'playwright-core'

/** Lets all that a page loads from now on come as slowly as on a phone in a train. */
export async function onSlowLine(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 300,
    downloadThroughput: 200_000,
    uploadThroughput: 100_000,
  })
}
