import type { PayloadFormat } from '../format.ts'
import { UnfitPayload } from '../unfit-payload.ts'
import { readAppPage } from './app-page.ts'

/** The page of an app, and the apps Apple shows beside it. */
export const appPageFormat: PayloadFormat = {
  supplier: 'apple',
  isMappable: false,
  parse({ bytes }, { storeId, country }) {
    if (storeId === undefined || country === null)
      throw new UnfitPayload('nobody knows which app the page is of')
    const page = readAppPage(bytes, storeId, country)
    const neighbours = page.similar.flatMap(({ apps }) => apps.map((app) => app.sighting))
    return {
      source: 'app-store-page',
      sightings: [page.sighting, ...neighbours].map((sighting) => ({ country, sighting })),
      charts: [],
      lists: page.similar.map(({ kind, apps }) => ({
        country,
        storeId,
        kind,
        storeIds: apps.map((app) => app.sighting.storeId),
      })),
      rejected: [],
      records: 1 + neighbours.length,
    }
  },
}
