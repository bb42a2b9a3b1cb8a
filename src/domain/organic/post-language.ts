import { setImmediate } from 'node:timers/promises'
import { detectLanguageOf, needsLanguageDetection } from '../creatives/detected-language.ts'
import { evidenceOfField, type Known, type Stated } from '../facts/merge.ts'
import type { PostFields, PostLanguage, PostSighting } from './post.ts'

/** Texts after which other tasks may run: one takes about a twentieth of a millisecond. */
const atATime = 25

/**
 * Adds the detected language of the words to posts whose network does not state it; null where it cannot be detected. Posts
 * that have it already are unchanged.
 */
export async function withLanguages(posts: readonly PostSighting[]): Promise<PostSighting[]> {
  const reported: PostSighting[] = []
  let recognised = 0
  for (const post of posts) {
    const found = post.recognised ?? (await recognisedIn(post.stated))
    reported.push(found ? { ...post, recognised: found } : post)
    if (found && !post.recognised && ++recognised % atATime === 0) await setImmediate()
  }
  return reported
}

/** Undefined where no language must be detected. */
async function recognisedIn(stated: Stated<PostFields>): Promise<PostLanguage | undefined> {
  const told = await detectLanguageOf(stated, [stated.title, stated.text])
  if (!told) return undefined
  const { language = null, possible } = told
  return {
    detectedLanguage: language,
    ...(language === null && possible.length > 0 ? { possibleLanguages: possible } : {}),
  }
}

const recognisedFields: readonly string[] = [
  'detectedLanguage',
  'possibleLanguages',
] satisfies (keyof PostLanguage)[]

/** The facts of a post without the language detection, which is derived and not merged. */
export function withoutDetectedLanguage<Post extends Known<PostFields>>(known: Post): Post {
  const { detectedLanguage: _, possibleLanguages: __, ...facts } = known.facts
  const evidence = known.evidence.map((entry) => ({
    ...entry,
    fields: entry.fields.filter((field) => !recognisedFields.includes(field)),
  }))
  return { ...known, facts, evidence: evidence.filter(({ fields }) => fields.length > 0) }
}

/**
 * The facts of a post with the language of its current title and text, from the reading of the text, else of the title. Only
 * where the two are of different observations, they are detected together here.
 * @param known without language detection
 * @param seen observations with language detection
 */
export async function withPostLanguage<Post extends Known<PostFields>>(
  known: Post,
  seen: readonly Pick<PostSighting, 'stated' | 'recognised'>[],
): Promise<Post> {
  const { facts } = known
  if (!needsLanguageDetection(facts, [facts.title, facts.text])) return known
  const same = seen.find(
    ({ stated, recognised }) => recognised && stated.title === facts.title && stated.text === facts.text,
  )
  const recognised = same?.recognised ?? (await recognisedIn(facts))
  const holder = evidenceOfField(known, facts.text === undefined ? 'title' : 'text')
  if (!recognised || !holder) return known
  const fields = [...holder.fields, ...(Object.keys(recognised) as (keyof PostLanguage)[])].sort()
  return {
    ...known,
    facts: { ...facts, ...recognised },
    evidence: known.evidence.map((entry) => (entry === holder ? { ...entry, fields } : entry)),
  }
}

/** The words of a stored post, with their language detection. */
export function storedPostWords(facts: Stated<PostFields>): Pick<PostSighting, 'stated' | 'recognised'> {
  const { detectedLanguage, possibleLanguages } = facts
  if (detectedLanguage === undefined) return { stated: facts }
  const possible = possibleLanguages === undefined ? {} : { possibleLanguages }
  return { stated: facts, recognised: { detectedLanguage, ...possible } }
}

/** Minimum posts of an author with a certain language, and minimum share of one language, for it to be the author's. */
export const minDetectedPosts = 2
export const minLanguageShare = 0.8

/**
 * The facts of a post, with the author's language where its own words are ambiguous. Computed when read, since later posts
 * determine what an author writes in.
 */
export function withAuthorsLanguage(facts: Stated<PostFields>, language: string | null): Stated<PostFields> {
  const isOpen = !facts.language && facts.detectedLanguage === null
  return isOpen && language !== null && facts.possibleLanguages?.includes(language)
    ? { ...facts, detectedLanguage: language }
    : facts
}
