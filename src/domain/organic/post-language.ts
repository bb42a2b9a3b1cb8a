import { setImmediate } from 'node:timers/promises'
import { withDetectedLanguage } from '../creatives/detected-language.ts'
import type { PostSighting } from './post.ts'

/** Texts after which others have their turn: one takes about a twentieth of a millisecond. */
const atATime = 25

/**
 * Posts with the language their words are written in, where their network does not state it; null where it cannot be
 * told. Those that have it already stay as they are, so it costs nothing to make sure.
 */
export async function withLanguages(posts: readonly PostSighting[]): Promise<PostSighting[]> {
  const reported: PostSighting[] = []
  let recognised = 0
  for (const post of posts) {
    const stated = await withDetectedLanguage(post.stated, [post.stated.title, post.stated.text])
    reported.push({ ...post, stated })
    if (stated !== post.stated && ++recognised % atATime === 0) await setImmediate()
  }
  return reported
}
