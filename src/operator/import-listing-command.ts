import { basename, resolve } from 'node:path'
import { accountNamed } from '../domain/accounts/queries.ts'
import { storeIdOfBundle } from '../domain/add-app/add-app.ts'
import { tellOwnListing } from '../domain/aso/listing/own-listing.ts'
import { trackedAppsOf } from '../domain/aso/tracking/tracked-apps.ts'
import { readOwnListing } from '../imports/own-listing.ts'
import { bundleIdNear, type ListingFile, listingFilesAt } from '../imports/own-listing-files.ts'
import { RejectionFile } from '../imports/rejections.ts'
import { Refusal } from './command.ts'
import type { OperatorContext } from './operator-context.ts'
import { resolveApp } from './resolve-names.ts'

interface ListingOptions {
  files: string[]
  account?: string
  app?: string
  observedAt?: string
  whole?: boolean
  encoding?: string
  rejected?: string
  json?: boolean
}

/** Tolerance for wrong clocks. */
const wrongClock = 3_600_000

/**
 * Imports the texts of an own listing by localization, which only its account sees. A localization with a fault is refused as a whole;
 * with `whole` nothing is stored then. Ends with a summary line.
 */
export async function importListingCommand(
  context: OperatorContext,
  { files, account = 'default', app, observedAt, whole = false, encoding, rejected, json }: ListingOptions,
): Promise<0 | 1> {
  const { db, terminal, directory, stdin } = context
  const accountId = await accountNamed(db, account)
  if (accountId === undefined) throw new Refusal(`There is no account "${account}".`)
  const at = observedAt === undefined ? new Date() : new Date(observedAt)
  if (at.getTime() > Date.now() + wrongClock) throw new Refusal(`--observed-at ${observedAt} lies ahead.`)
  const found = await listingFilesAt(files, directory, stdin).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? `There is no file or directory ${error.path ?? ''}.`
        : `The files cannot be read: ${error.message}.`,
    )
  })
  const storeId = await appOf(context, accountId, account, app, found)
  const { localizations, rejected: refused, notes } = await readOwnListing(found, encoding)
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const path = resolve(directory, rejected ?? `rejected-listing-${stamp}.ndjson`)
  await using rejections = await RejectionFile.at(
    path,
    found.map(({ input }) => input.name),
  )
  for (const one of refused) await rejections.add(one.file, one)
  if (whole && refused.length > 0) localizations.clear()
  const changed =
    localizations.size > 0
      ? await tellOwnListing(db, { accountId, storeId, observedAt: at, isWhole: whole }, localizations)
      : new Set<string>()
  for (const note of notes) terminal.note(note)
  const { first } = rejections
  if (first) {
    terminal.note(`First refused: ${basename(first.file)}, ${first.position}: ${first.reason}`)
    terminal.note(`Rejected records and why: ${path}`)
    if (whole) terminal.note('Nothing was stored: with --whole all of a listing has to be taken.')
  }
  const counts = {
    ...{ read: localizations.size + refused.length, stored: changed.size },
    ...{ unchanged: localizations.size - changed.size, rejected: refused.length },
  }
  const summary = { kind: 'listing', account, app: storeId, files: found.length, ...counts }
  terminal.out(
    json
      ? JSON.stringify({
          ...summary,
          localizations: [...localizations.keys()],
          ...{ rejectedFile: first ? path : null, firstRejection: first, notes },
        })
      : summaryLine(summary),
  )
  if (counts.read === 0)
    terminal.note(
      `No text of a listing stands in ${files.length === 1 ? 'it' : 'them'}: docs/imports.md says what is read.`,
    )
  return localizations.size > 0 ? 0 : 1
}

function summaryLine(counted: {
  app: string
  account: string
  files: number
  read: number
  stored: number
  unchanged: number
  rejected: number
}): string {
  const { app, account, files, read, stored, unchanged, rejected } = counted
  return `listing: read ${read}, stored ${stored}, unchanged ${unchanged}, rejected ${rejected} localizations of ${app} for ${account} from ${files} ${files === 1 ? 'file' : 'files'}`
}

/** The app that a listing is of: named by the command, or by the Appfile beside the texts. The account has to track it. */
async function appOf(
  { db }: OperatorContext,
  accountId: string,
  account: string,
  app: string | undefined,
  files: readonly ListingFile[],
): Promise<string> {
  const tracked = await trackedBy(db, accountId)
  const named = tracked.map(({ storeId, name }) => `${storeId}${name ? ` (${name})` : ''}`)
  const which = named.length > 0 ? `, such as --app ${[...new Set(named)].slice(0, 5).join(', ')}` : ''
  const bundleId = app === undefined ? await bundleIdNear(files) : undefined
  if (app === undefined && bundleId === undefined)
    throw new Refusal(`Nothing says which app it is the listing of: name it with --app${which}.`)
  const storeId = app === undefined ? await storeIdOfBundle(db, bundleId ?? '') : await resolveApp(db, app)
  if (!storeId)
    throw new Refusal(
      `The Appfile names ${bundleId}, and no stored app has that bundle id: name the app with --app${which}.`,
    )
  if (tracked.some((one) => one.storeId === storeId)) return storeId
  const from = bundleId === undefined ? '' : ` (${bundleId} of the Appfile)`
  throw new Refusal(
    `The account ${account} tracks no app ${storeId}${from}: track it first, as with rivalscope track-aso-app --app ${storeId} --role own.`,
  )
}

/** All apps that an account tracks, own ones first: their number is limited as that of its items. */
async function trackedBy(db: OperatorContext['db'], accountId: string) {
  const all: Awaited<ReturnType<typeof trackedAppsOf>> = []
  for (;;) {
    const last = all.at(-1)
    const after = last && { role: last.role, appId: last.appId }
    const page = await trackedAppsOf(
      db,
      accountId,
      { role: undefined, country: undefined },
      { limit: 100, after },
    )
    all.push(...page)
    if (page.length < 100) return all
  }
}
