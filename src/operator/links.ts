import { z } from 'zod'
import type { DeclaredHandle } from '../domain/organic/handles.ts'
import type { LinkAction } from '../vocabulary/creatives.ts'
import { type Network, networkRow, networks } from '../vocabulary/networks.ts'
import { command, printList, Refusal } from './command.ts'
import { given, type Input } from './field-help.ts'
import { appArgument, expectPrintable, jsonFlag, Text } from './fields.ts'
import type { OperatorContext } from './operator-context.ts'

/** Commands that decide which posts belong to which apps. */

const postIds = given('<postId...>', 'such as tiktok_7174039549943168700', z.array(Text), { whole: true })
const decision = {
  postIds,
  app: appArgument,
  note: given('<text>', 'why, shown with the link', Text.exactOptional()),
}
const handleOfApp = {
  network: given('<network>', '', z.enum(networks)),
  handle: given(
    '<handle>',
    'with or without @, or the address of the profile; on YouTube the id of the channel',
    Text,
  ),
  app: appArgument,
}

export const linkCommands = {
  'posts link': command({
    writes: true,
    input: decision,
    places: ['postIds'],
    async perform(context, input) {
      const { resolveStoredApp } = await import('./resolve-names.ts')
      const storeId = await resolveStoredApp(context.db, input.app)
      context.terminal.out(`linked ${await decide(context, 'link', storeId, input)} to ${storeId}`)
      return 0
    },
  }),

  'posts unlink': command({
    writes: true,
    input: decision,
    places: ['postIds'],
    async perform(context, input) {
      const { resolveApp } = await import('./resolve-names.ts')
      const storeId = await resolveApp(context.db, input.app)
      context.terminal.out(`unlinked ${await decide(context, 'unlink', storeId, input)} from ${storeId}`)
      return 0
    },
  }),

  'posts withdraw': command({
    writes: true,
    input: { postIds, app: appArgument },
    places: ['postIds'],
    async perform({ db, terminal }, { postIds, app: appArgument }) {
      const { resolveApp } = await import('./resolve-names.ts')
      const { withdrawPostDecisions } = await import('../domain/organic/post-links.ts')
      const storeId = await resolveApp(db, appArgument)
      const gone = await withdrawPostDecisions(db, postIds, storeId)
      if (gone.length === 0)
        throw new Refusal(
          `Nothing is decided about these and ${storeId}; rivalscope posts decisions lists what is.`,
        )
      terminal.out(`withdrawn what was decided about ${postsInWords(gone.length)} and ${storeId}`)
      return 0
    },
  }),

  'posts decisions': command({
    input: { json: jsonFlag },
    async perform(context, { json: jsonFlag }) {
      const { postDecisions } = await import('../domain/organic/post-links.ts')
      return printList(context, await withNames(context, await postDecisions(context.db)), {
        json: jsonFlag,
        none: 'Nothing is decided about any post.',
        line: ({ action, postId, storeId, app: appArgument, decidedAt, note }) =>
          [
            action.padEnd(8),
            postId,
            storeId,
            appArgument ?? '-',
            `${decidedAt.toISOString().slice(0, 16)}Z`,
            note ?? '',
          ]
            .join('  ')
            .trimEnd(),
      })
    },
  }),

  /** Its posts and those that mention it are linked to the app, stored or future. */
  'handles declare': command({
    writes: true,
    input: handleOfApp,
    places: ['network', 'handle'],
    async perform({ db, terminal }, { network, handle, app: appArgument }) {
      const { resolveStoredApp } = await import('./resolve-names.ts')
      const { declareHandle } = await import('../domain/organic/handles.ts')
      const { fulfilRequests } = await import('../domain/demand/queries.ts')
      const { inTransaction } = await import('../storage/database.ts')
      const meant = await handleMeant(network, handle)
      const storeId = await resolveStoredApp(db, appArgument)
      const declared = { network, handle: meant, storeId }
      const { storedPosts } = await inTransaction(db, async (transaction) => {
        const around = await declareHandle(transaction, declared)
        if (around.storedPosts > 0)
          await fulfilRequests(transaction, [{ kind: 'organic', country: null, storeIds: [storeId] }])
        return around
      })
      terminal.out(
        `declared ${handleInWords(declared)}; ${storedPosts === 1 ? '1 stored post' : `${storedPosts} stored posts`}`,
      )
      return 0
    },
  }),

  'handles remove': command({
    writes: true,
    input: handleOfApp,
    places: ['network', 'handle'],
    async perform({ db, terminal }, { network, handle, app: appArgument }) {
      const { resolveApp } = await import('./resolve-names.ts')
      const { removeHandle } = await import('../domain/organic/handles.ts')
      const meant = await handleMeant(network, handle)
      const declared = { network, handle: meant, storeId: await resolveApp(db, appArgument) }
      if (!(await removeHandle(db, declared)))
        throw new Refusal(`${handleInWords(declared)} is not declared; rivalscope handles list names what is.`)
      terminal.out(`removed ${handleInWords(declared)}`)
      return 0
    },
  }),

  'handles list': command({
    input: { json: jsonFlag },
    async perform(context, { json: jsonFlag }) {
      const { declaredHandles } = await import('../domain/organic/handles.ts')
      return printList(context, await withNames(context, await declaredHandles(context.db)), {
        json: jsonFlag,
        none: 'No handle is declared.',
        line: ({ network, handle, storeId, app: appArgument, declaredAt }) =>
          `${network.padEnd(9)}  ${handle}  ${storeId}  ${appArgument ?? '-'}  ${declaredAt.toISOString().slice(0, 16)}Z`,
      })
    },
  }),
}

/** All of the posts or none. @returns how many, in words */
async function decide(
  { db }: OperatorContext,
  action: LinkAction,
  storeId: string,
  { postIds: named, note }: Input<typeof decision>,
): Promise<string> {
  expectPrintable({ note })
  const { decidePostLinks, firstUnstoredPost } = await import('../domain/organic/post-links.ts')
  const { fulfilRequests } = await import('../domain/demand/queries.ts')
  const { inTransaction } = await import('../storage/database.ts')
  const postIds = [...new Set(named)]
  await inTransaction(db, async (transaction) => {
    const missing = await firstUnstoredPost(transaction, postIds)
    if (missing !== undefined)
      throw new Refusal(
        `No post with the id "${missing}" is stored, and nothing was decided; rivalscope search-organic-content lists the ids.`,
      )
    await decidePostLinks(transaction, { action, postIds, storeId, note: note?.trim() || undefined })
    if (action === 'link')
      await fulfilRequests(transaction, [{ kind: 'organic', country: null, storeIds: [storeId] }])
  })
  return postsInWords(postIds.length)
}

const postsInWords = (posts: number) => (posts === 1 ? '1 post' : `${posts} posts`)

async function handleMeant(network: Network, handle: string): Promise<string> {
  const { parseHandle } = await import('../domain/organic/handles.ts')
  const meant = parseHandle(network, handle)
  if (meant !== undefined) return meant
  throw new Refusal(
    `"${handle}" is no handle of ${network}; give it with or without @, or the address of its profile.`,
  )
}

const handleInWords = ({ network, handle, storeId }: DeclaredHandle) =>
  `${networkRow(network).handlePrefix}${handle} of ${network} for ${storeId}`

/** Each with the name of its app, where that is stored. */
async function withNames<Linked extends { storeId: string }>(
  { db }: OperatorContext,
  found: readonly Linked[],
) {
  const { namesOfStoredApps } = await import('./resolve-names.ts')
  const names = await namesOfStoredApps(
    db,
    found.map(({ storeId }) => storeId),
  )
  return found.map((one) => ({ ...one, app: names.get(one.storeId) ?? null }))
}
