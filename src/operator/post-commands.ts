import { fulfilRequests } from '../domain/demand/queries.ts'
import {
  decidePosts,
  firstNotStored,
  postDecisions,
  withdrawPostDecisions,
} from '../domain/organic/post-decisions.ts'
import { inTransaction } from '../storage/database.ts'
import type { LinkAction } from '../vocabulary/creatives.ts'
import type { OperatorContext } from './operator-context.ts'
import { refusesControl } from './plain-text.ts'
import { namesOf, resolveApp, resolveStoredApp } from './resolve-app.ts'

export interface PostsOptions {
  postIds: readonly string[]
  /** App Store id, bundle id or App Store address. */
  app: string
}

export interface DecidePostsOptions extends PostsOptions {
  note?: string
}

/** Decides that posts belong to an app, atomically. */
export async function linkPostsCommand(context: OperatorContext, options: DecidePostsOptions): Promise<0 | 1> {
  const storeId = await resolveStoredApp(context, options.app)
  if (storeId === undefined) return 1
  const posts = await decide(context, 'link', storeId, options)
  if (posts === undefined) return 1
  context.terminal.out(`linked ${posts} to ${storeId}`)
  return 0
}

/** Decides that posts do not belong to an app; overrides all other grounds. */
export async function unlinkPostsCommand(
  context: OperatorContext,
  options: DecidePostsOptions,
): Promise<0 | 1> {
  const storeId = await resolveApp(context, options.app)
  if (storeId === undefined) return 1
  const posts = await decide(context, 'unlink', storeId, options)
  if (posts === undefined) return 1
  context.terminal.out(`unlinked ${posts} from ${storeId}`)
  return 0
}

/** @returns the number of posts, as text; undefined where it was refused, with the reason reported */
async function decide(
  { db, terminal }: OperatorContext,
  action: LinkAction,
  storeId: string,
  { postIds: named, note }: DecidePostsOptions,
): Promise<string | undefined> {
  if (refusesControl(terminal, { note })) return undefined
  const postIds = [...new Set(named)]
  return inTransaction(db, async (transaction) => {
    const missing = await firstNotStored(transaction, postIds)
    if (missing !== undefined) {
      terminal.note(
        `No post with the id "${missing}" is stored, and nothing was decided; rivalscope search-organic-content lists the ids.`,
      )
      return undefined
    }
    await decidePosts(transaction, { action, postIds, storeId, note: note?.trim() || undefined })
    if (action === 'link')
      await fulfilRequests(transaction, [{ kind: 'organic', country: null, storeIds: [storeId] }])
    return inWords(postIds.length)
  })
}

const inWords = (posts: number) => (posts === 1 ? '1 post' : `${posts} posts`)

/** Withdraws decisions: the grounds of the posts themselves and their authors apply again. */
export async function withdrawPostsCommand(
  context: OperatorContext,
  { postIds, app }: PostsOptions,
): Promise<0 | 1> {
  const { db, terminal } = context
  const storeId = await resolveApp(context, app)
  if (storeId === undefined) return 1
  const gone = await withdrawPostDecisions(db, postIds, storeId)
  if (gone.length === 0) {
    terminal.note(`Nothing is decided about these and ${storeId}; rivalscope posts decisions lists what is.`)
    return 1
  }
  terminal.out(`withdrawn what was decided about ${inWords(gone.length)} and ${storeId}`)
  return 0
}

/** Decisions about posts, newest first. */
export async function listPostDecisionsCommand(
  { db, terminal }: OperatorContext,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  const found = await postDecisions(db)
  const names = await namesOf(
    db,
    found.map(({ storeId }) => storeId),
  )
  const listed = found.map((one) => ({ ...one, app: names.get(one.storeId) ?? null }))
  if (json) terminal.out(JSON.stringify(listed))
  else if (listed.length === 0) terminal.out('Nothing is decided about any post.')
  else
    for (const { action, postId, storeId, app, decidedAt, note } of listed)
      terminal.out(
        [action.padEnd(8), postId, storeId, app ?? '-', `${decidedAt.toISOString().slice(0, 16)}Z`, note ?? '']
          .join('  ')
          .trimEnd(),
      )
  return 0
}
