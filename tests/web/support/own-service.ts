import type { Browser } from 'playwright-core'
import { type CuttableWay, cuttableWayTo } from '../../support/cuttable-way.ts'
import { openWorld, type World, type WorldOptions } from '../../support/world.ts'
import { type Visitor, visitSite } from './visitor.ts'

/** A service of one test file, which holds nothing yet: what happens to it, no other test notices. */
export interface OwnService extends AsyncDisposable {
  world: World
  /** Where it answers browsers, through a way that can be cut. */
  address: string
  way: CuttableWay
  /** Opens a browser's window that is signed in with a key. */
  visit(browser: Browser, key: string, width?: number): Promise<Visitor>
}

export async function openOwnService(options: WorldOptions = {}): Promise<OwnService> {
  const parts = new AsyncDisposableStack()
  const world = parts.use(await openWorld(options))
  const listening = await world.server.listen({ host: '127.0.0.1', port: 0 })
  const way = parts.use(await cuttableWayTo(listening))
  const address = new URL(way.url).origin
  return {
    world,
    address,
    way,
    visit: (browser, key, width) => visitSite(browser, { address, key }, width === undefined ? {} : { width }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** An app as a text about it can be: everything but its names is ordinary. */
export interface NamedApp {
  storeId: number
  name: string
  developer?: string
  icon?: string
}

/** The lines of a file of apps, as Apple's lookup gives them. */
export const appsOf = (apps: readonly NamedApp[]): string =>
  apps
    .map(({ storeId, name, developer = 'Maker', icon }) =>
      JSON.stringify({
        wrapperType: 'software',
        kind: 'software',
        trackId: storeId,
        trackName: name,
        artistName: developer,
        artworkUrl512: icon,
        description: name,
        userRatingCount: 12,
        averageUserRating: 4.5,
        price: 0,
        currency: 'USD',
      }),
    )
    .join('\n')
