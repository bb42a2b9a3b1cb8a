import { accountNamed } from '../domain/accounts/queries.ts'
import { storeIdOfBundle } from '../domain/add-app/add-app.ts'
import { labelsOfApps } from '../domain/catalogue/app.ts'
import { exactReference } from '../domain/catalogue/search-plan.ts'
import type { Database } from '../storage/database.ts'
import { Refusal } from './command.ts'

/** The id of an account. @throws Refusal where there is none */
export async function accountIdOfName(db: Database, account: string): Promise<string> {
  const found = await accountNamed(db, account)
  if (found !== undefined) return found
  throw new Refusal(`No account is named "${account}"; rivalscope keys create makes one with its first key.`)
}

/** The App Store id of an app given by id, bundle id or address. @throws Refusal where it is none of these */
export async function resolveApp(db: Database, app: string): Promise<string> {
  const reference = exactReference(app)
  const storeId =
    reference && ('storeId' in reference ? reference.storeId : await storeIdOfBundle(db, reference.bundleId))
  if (storeId) return storeId
  throw new Refusal(`"${app}" is no App Store id or address, and no bundle id of an app stored here.`)
}

/** Like `resolveApp`, but only for stored apps, so that a mistyped id is refused. */
export async function resolveStoredApp(db: Database, app: string): Promise<string> {
  const storeId = await resolveApp(db, app)
  if ((await namesOfStoredApps(db, [storeId])).has(storeId)) return storeId
  throw new Refusal(
    `No evidence of the app ${storeId} is stored; rivalscope request-ios-competitor --app ${storeId} takes it in.`,
  )
}

/** Names of those of the apps that are stored. */
export async function namesOfStoredApps(
  db: Database,
  storeIds: readonly string[],
): Promise<Map<string, string>> {
  const labels = await labelsOfApps(db, [...new Set(storeIds)], 'us')
  return new Map(labels.map(({ storeId, name }) => [storeId, name]))
}
