import type { z } from 'zod'
import type { AppSummary } from '../contract/shapes/apps.ts'
import { listedApps } from '../domain/catalogue/record-queries.ts'
import type { Database } from '../storage/database.ts'
import { isStoreId } from '../vocabulary/ids.ts'
import { isStorefront } from '../vocabulary/storefronts.ts'
import { appSummary } from './listing-facts.ts'
import { refuseInput } from './problem.ts'

/** As many as a chart can show. */
const mostApps = 200

export type ReadAppSummaries = (
  country: string,
  apps: readonly string[],
) => Promise<{ items: z.output<typeof AppSummary>[] }>

/**
 * The apps of a chart as lists show them, in no order; those that are not in the catalogue are left out. One statement.
 * @throws Problem `invalid-request`
 */
export async function readAppSummaries(
  db: Database,
  country: string,
  apps: readonly string[],
): ReturnType<ReadAppSummaries> {
  if (!isStorefront(country))
    refuseInput([{ pointer: '/query/country', message: 'must be given once, a storefront such as us' }])
  if (apps.length === 0 || apps.length > mostApps)
    refuseInput([{ pointer: '/query/app', message: `must be given 1 to ${mostApps} times` }])
  const wrong = apps.findIndex((app) => !isStoreId(app))
  if (wrong !== -1) refuseInput([{ pointer: `/query/app/${wrong}`, message: 'must be a store id' }])
  return { items: (await listedApps(db, apps, country)).map(appSummary) }
}
