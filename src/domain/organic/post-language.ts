import { setImmediate } from 'node:timers/promises'
import { detected } from '../creatives/detected-language.ts'
import type { Stated } from '../facts/merge.ts'
import type { PostFields, PostSighting } from './post.ts'

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
    const { stated } = post
    const told = await detected(stated, [stated.title, stated.text])
    const { language = null, possible = [] } = told ?? {}
    const unclear = language === null && possible.length > 0 ? { possibleLanguages: possible } : {}
    reported.push(told ? { ...post, stated: { ...stated, detectedLanguage: language, ...unclear } } : post)
    if (told && ++recognised % atATime === 0) await setImmediate()
  }
  return reported
}

/** Posts of an author whose language is told, and the part of them in one language, from which the author writes in it. */
export const fewestToldPosts = 2
export const partInLanguage = 0.8

/**
 * What is known of a post, with the language of its author where its own words leave open which of several it is in. Made
 * when it is read, since posts that arrive later tell what an author writes in.
 */
export function withAuthorsLanguage(facts: Stated<PostFields>, language: string | null): Stated<PostFields> {
  const isOpen = !facts.language && facts.detectedLanguage === null
  return isOpen && language !== null && facts.possibleLanguages?.includes(language)
    ? { ...facts, detectedLanguage: language }
    : facts
}
