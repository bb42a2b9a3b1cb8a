import { accountOfFeed, hasTokenForm } from '../domain/watches/channels.ts'
import { newestEvents } from '../domain/watches/queries.ts'
import type { Database } from '../storage/database.ts'

/** The contents of a feed: the newest events of its account. */
export interface WatchFeed {
  feedId: string
  account: string
  /** Newest first; empty before the first event. */
  events: { eventId: string; title: string; page: string; kind: string; recordedAt: Date; observedAt: Date }[]
}

/** Finds a feed by the token in its address; undefined for an invalid, unknown or removed one. */
export type FindFeed = (token: string) => Promise<WatchFeed | undefined>

/** Most events in a feed. */
const shown = 100

export function watchFeedsIn(db: Database): FindFeed {
  return async (token) => {
    const found = hasTokenForm(token) ? await accountOfFeed(db, token) : undefined
    if (!found) return undefined
    const { accountId, account, wayId } = found
    return { feedId: wayId, account, events: await newestEvents(db, accountId, shown) }
  }
}
