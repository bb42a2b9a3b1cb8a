import { setImmediate } from 'node:timers/promises'
import { detected, isToDetect } from '../creatives/detected-language.ts'
import { backingOf, type Known, type Stated } from '../facts/merge.ts'
import type { PostFields, PostSighting, Recognised } from './post.ts'

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
    const found = post.recognised ?? (await recognisedIn(post.stated))
    reported.push(found ? { ...post, recognised: found } : post)
    if (found && !post.recognised && ++recognised % atATime === 0) await setImmediate()
  }
  return reported
}

/** Undefined where nothing is to be recognised. */
async function recognisedIn(stated: Stated<PostFields>): Promise<Recognised | undefined> {
  const told = await detected(stated, [stated.title, stated.text])
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
] satisfies (keyof Recognised)[]

/** What is known of a post without what was recognised in its words: that is not merged, it follows from them. */
export function withoutRecognised<Post extends Known<PostFields>>(known: Post): Post {
  const { detectedLanguage: _, possibleLanguages: __, ...facts } = known.facts
  const evidence = known.evidence.map((entry) => ({
    ...entry,
    fields: entry.fields.filter((field) => !recognisedFields.includes(field)),
  }))
  return { ...known, facts, evidence: evidence.filter(({ fields }) => fields.length > 0) }
}

/**
 * What is known of a post, with the language of the title and text that hold, told by the reading of the text, else of the
 * title. They can be of two observations: only then are they recognised together here.
 * @param known without what was recognised
 * @param seen observations whose words were recognised
 */
export async function withRecognised<Post extends Known<PostFields>>(
  known: Post,
  seen: readonly Pick<PostSighting, 'stated' | 'recognised'>[],
): Promise<Post> {
  const { facts } = known
  if (!isToDetect(facts, [facts.title, facts.text])) return known
  const same = seen.find(
    ({ stated, recognised }) => recognised && stated.title === facts.title && stated.text === facts.text,
  )
  const recognised = same?.recognised ?? (await recognisedIn(facts))
  const holder = backingOf(known, facts.text === undefined ? 'title' : 'text')
  if (!recognised || !holder) return known
  const fields = [...holder.fields, ...(Object.keys(recognised) as (keyof Recognised)[])].sort()
  return {
    ...known,
    facts: { ...facts, ...recognised },
    evidence: known.evidence.map((entry) => (entry === holder ? { ...entry, fields } : entry)),
  }
}

/** The words of a stored post, with what was recognised in them. */
export function storedWords(facts: Stated<PostFields>): Pick<PostSighting, 'stated' | 'recognised'> {
  const { detectedLanguage, possibleLanguages } = facts
  if (detectedLanguage === undefined) return { stated: facts }
  const possible = possibleLanguages === undefined ? {} : { possibleLanguages }
  return { stated: facts, recognised: { detectedLanguage, ...possible } }
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
