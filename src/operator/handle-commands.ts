import { fulfilRequests } from '../domain/demand/queries.ts'
import {
  type DeclaredHandle,
  declaredHandles,
  declareHandle,
  parseHandle,
  removeHandle,
} from '../domain/organic/declared-handles.ts'
import { inTransaction } from '../storage/database.ts'
import type { Network } from '../vocabulary/networks.ts'
import type { OperatorContext } from './operator-context.ts'
import { namesOf, resolveApp, resolveStoredApp } from './resolve-app.ts'

export interface HandleOptions {
  network: Network
  /** With or without `@`, or the address of the profile. */
  handle: string
  /** App Store id, bundle id or App Store address. */
  app: string
}

/**
 * Declares that an account of a network belongs to an app: its posts and those that mention it are linked to the app,
 * stored or future.
 */
export async function declareHandleCommand(context: OperatorContext, options: HandleOptions): Promise<0 | 1> {
  const { db, terminal } = context
  const handle = handleFrom(context, options)
  if (handle === undefined) return 1
  const storeId = await resolveStoredApp(context, options.app)
  if (storeId === undefined) return 1
  const declared = { network: options.network, handle, storeId }
  const { storedPosts } = await inTransaction(db, async (transaction) => {
    const around = await declareHandle(transaction, declared)
    if (around.storedPosts > 0)
      await fulfilRequests(transaction, [{ kind: 'organic', country: null, storeIds: [storeId] }])
    return around
  })
  terminal.out(
    `declared ${inWords(declared)}; ${storedPosts === 1 ? '1 stored post' : `${storedPosts} stored posts`}`,
  )
  return 0
}

/** Removes a declaration, with the links that follow from it. */
export async function removeHandleCommand(context: OperatorContext, options: HandleOptions): Promise<0 | 1> {
  const { db, terminal } = context
  const handle = handleFrom(context, options)
  if (handle === undefined) return 1
  const storeId = await resolveApp(context, options.app)
  if (storeId === undefined) return 1
  const declared = { network: options.network, handle, storeId }
  const gone = await removeHandle(db, declared)
  if (gone) terminal.out(`removed ${inWords(declared)}`)
  else terminal.note(`${inWords(declared)} is not declared; rivalscope handles list names what is.`)
  return gone ? 0 : 1
}

/** Reports an invalid handle, and returns undefined. */
function handleFrom({ terminal }: OperatorContext, { network, handle }: HandleOptions): string | undefined {
  const meant = parseHandle(network, handle)
  if (meant === undefined)
    terminal.note(
      `"${handle}" is no handle of ${network}; give it with or without @, or the address of its profile.`,
    )
  return meant
}

const inWords = ({ network, handle, storeId }: DeclaredHandle) =>
  `${network === 'reddit' ? 'u/' : '@'}${handle} of ${network} for ${storeId}`

/** The declarations, by network and handle. */
export async function listHandlesCommand(
  { db, terminal }: OperatorContext,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  const found = await declaredHandles(db)
  const names = await namesOf(
    db,
    found.map(({ storeId }) => storeId),
  )
  const listed = found.map((one) => ({ ...one, app: names.get(one.storeId) ?? null }))
  if (json) terminal.out(JSON.stringify(listed))
  else if (listed.length === 0) terminal.out('No handle is declared.')
  else
    for (const { network, handle, storeId, app, declaredAt } of listed)
      terminal.out(
        `${network.padEnd(9)}  ${handle}  ${storeId}  ${app ?? '-'}  ${declaredAt.toISOString().slice(0, 16)}Z`,
      )
  return 0
}
