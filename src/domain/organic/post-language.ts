import { setImmediate } from 'node:timers/promises'
import { languageOf } from '../aso/language.ts'
import type { Stated } from '../creatives/stated.ts'
import type { PostFields, PostSighting } from './post.ts'

/** Code units of a post that are looked at: more tells no more, and takes longer. */
const looked = 400

/** Texts after which others have their turn: one takes about a twentieth of a millisecond. */
const atATime = 25

/**
 * Posts with the language their words are written in, where their network does not state it; null where it cannot be
 * told. Those that have it already stay as they are, so it costs nothing to make sure.
 */
export async function withLanguages(posts: readonly PostSighting[]): Promise<PostSighting[]> {
  const told: PostSighting[] = []
  let recognised = 0
  for (const post of posts) {
    const words = 'detectedLanguage' in post.stated ? undefined : wordsOf(post.stated)
    if (words === undefined) {
      told.push(post)
      continue
    }
    const detectedLanguage = (await languageOf(words)) ?? null
    told.push({ ...post, stated: { ...post.stated, detectedLanguage } })
    if (++recognised % atATime === 0) await setImmediate()
  }
  return told
}

/** What tells a language: title and text without addresses, handles and hashtags. Undefined where nobody need ask. */
function wordsOf({ title, text, language }: Stated<PostFields>): string | undefined {
  if (language || (title === undefined && text === undefined)) return undefined
  const start = [title ?? '', text ?? ''].join('\n').slice(0, looked).toWellFormed()
  return start.replace(/https?:\/\/\S+|[@#＃][\p{L}\p{N}\p{M}_.]+/gu, ' ')
}
