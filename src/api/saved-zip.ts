import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Caller } from './caller.ts'
import { readAt } from './input.ts'
import { refuseInput } from './problem.ts'

/** Most bytes of kept copies in one archive; those beyond are named in it. */
export const largestSavedMedia = 1024 * 1024 * 1024
/** Most ads and posts that are named for an archive. */
const mostNamed = 200

/** A part of what an account saved: what has a tag, or what is named; all of it where neither is said. */
export interface SavedPart {
  tag?: string | undefined
  /** `ad.meta.123`, `post.tiktok_456`. */
  items?: ReadonlySet<string> | undefined
}

/** A zip archive of what the caller's account saved, with its kept copies: the one of `rivalscope export saved --format zip`. */
export type SavedZip = (caller: Caller, part: SavedPart) => Readable

const Part = z.strictObject({
  tag: z.string().min(1).max(50).optional(),
  items: z.string().min(1).max(20_000).optional(),
})

/** @throws Problem `invalid-request` */
export function savedPartIn(query: Readonly<Record<string, unknown>>): SavedPart {
  const { tag, items } = readAt('/query', Part, { ...query })
  const named = items === undefined ? undefined : new Set(items.split(','))
  if (named && named.size > mostNamed)
    refuseInput([{ pointer: '/query/items', message: `names more than ${mostNamed} ads and posts` }])
  return { tag, items: named }
}
