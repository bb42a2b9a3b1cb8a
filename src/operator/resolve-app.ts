import { labelsOfApps } from '../domain/catalogue/app-queries.ts'
import { exactReference } from '../domain/catalogue/search-plan.ts'
import { storeIdOfBundle } from '../domain/intake/queries.ts'
import type { Database } from '../storage/database.ts'
import type { OperatorContext } from './operator-context.ts'

/** The app with this App Store id, bundle id or address. Reports when there is none, and returns undefined. */
export async function resolveApp(
  { db, terminal }: Pick<OperatorContext, 'db' | 'terminal'>,
  app: string,
): Promise<string | undefined> {
  const reference = exactReference(app)
  const storeId =
    reference && ('storeId' in reference ? reference.storeId : await storeIdOfBundle(db, reference.bundleId))
  if (!storeId) terminal.note(`"${app}" is no App Store id or address, and no bundle id of an app stored here.`)
  return storeId ?? undefined
}

/** As `resolveApp`, among stored apps only: a mistyped id would be linked to no app. */
export async function resolveStoredApp(
  context: Pick<OperatorContext, 'db' | 'terminal'>,
  app: string,
): Promise<string | undefined> {
  const storeId = await resolveApp(context, app)
  if (storeId === undefined || (await namesOf(context.db, [storeId])).has(storeId)) return storeId
  context.terminal.note(
    `No evidence of the app ${storeId} is stored; rivalscope request-ios-competitor --app ${storeId} takes it in.`,
  )
  return undefined
}

/** Names of those of the apps that are stored. */
export async function namesOf(db: Database, storeIds: readonly string[]): Promise<Map<string, string>> {
  const labels = await labelsOfApps(db, [...new Set(storeIds)], 'us')
  return new Map(labels.map(({ storeId, name }) => [storeId, name]))
}
