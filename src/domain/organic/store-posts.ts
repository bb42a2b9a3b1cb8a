import type { Database } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { writeAttributions } from '../creatives/attributions.ts'
import { lockCreativeKind } from '../creatives/kind.ts'
import { writeCreatives } from '../creatives/stored-creatives.ts'
import { compareReadings, type Reading, readingAtRecordTime } from '../evidence/reading.ts'
import { type AccountName, type Mention, writeMentions } from './handle-queries.ts'
import { storeProfileHandles } from './handles.ts'
import { type PostSighting, postKind } from './post.ts'
import {
  storedPostWords,
  withAuthorsLanguage,
  withLanguages,
  withoutDetectedLanguage,
  withPostLanguage,
} from './post-language.ts'
import { mentionsIn, storeAttributionsOf } from './post-links.ts'
import { indexPostRows, indexPosts, type PostToIndex, reindexOutliers } from './post-search.ts'
import { addObservation, normaliseHandle, type PostObservation, type PostWithPoints } from './post-state.ts'
import {
  type AuthorFigures,
  type AuthorKey,
  deleteAuthorsWithoutPosts,
  postsPossiblyIn,
  refreshAuthors,
  type StoredPost,
  storedPoints,
  storedPosts,
  writePoints,
} from './post-writes.ts'
import { postAgeOf } from './scores.ts'

/**
 * Adds posts to the library: their facts, a metrics point for each moment of observation, their author's usual figures, and
 * their attributions to apps. The result does not depend on the order of arrival. Runs inside the caller's transaction.
 * @returns the apps of these posts, and of other posts whose account they attribute
 */
export async function storePosts(
  db: Database,
  entries: readonly { reading: Reading; posts: readonly PostSighting[] }[],
): Promise<string[]> {
  const observations: PostObservation[] = []
  for (const { reading, posts } of entries)
    for (const post of await withLanguages(posts)) observations.push(observationOf(reading, post))
  if (observations.length === 0) return []
  await lockCreativeKind(db, postKind)
  const seen = Map.groupBy(observations, postIdOf)
  const stored = new Map((await storedPosts(db, [...seen.keys()])).map((post) => [post.postId, post]))
  const before = await withPoints(db, stored, seen)
  const after = new Map<string, PostWithPoints>()
  for (const [postId, looks] of seen) after.set(postId, await added(before.get(postId), postId, looks))
  const numbers = await writeCreatives(
    db,
    postKind,
    [...after.values()].map(({ state }) => ({ ...state, author: authorOf(state) })),
  )
  const posts = [...after].map(
    ([postId, { state, points }], at): WrittenPost => ({
      postNumber: numbers[at] ?? '',
      looks: seen.get(postId) ?? [],
      before: stored.get(postId),
      state,
      points,
      author: authorOf(state),
      network: state.network,
    }),
  )
  await writePoints(
    db,
    posts.flatMap(({ postNumber, points }) => [...points.values()].map((point) => ({ ...point, postNumber }))),
  )
  await updateSearch(db, posts, await updateAuthors(db, posts))
  await writeAttributions(
    db,
    postKind,
    posts.flatMap(({ postNumber: number, looks }) =>
      looks.flatMap(({ reading, post }) =>
        storeAttributionsOf(post.stated).map((attribution) => ({ ...attribution, number, reading })),
      ),
    ),
  )
  const mentions = posts.flatMap(({ postNumber, looks }) => mentionsOf(postNumber, looks))
  await writeMentions(db, mentions)
  const mentioned = Map.groupBy(mentions, (mention) => mention.postNumber)
  return storeProfileHandles(
    db,
    observations,
    posts.map(({ postNumber, network, author, before }) => ({
      postNumber,
      accounts: [
        ...[author, before?.author]
          .filter((handle) => typeof handle === 'string')
          .map((handle) => ({ network, handle })),
        ...(mentioned.get(postNumber) ?? []).map(({ network, handle }): AccountName => ({ network, handle })),
      ],
    })),
  )
}

/** A post that was just written, with its facts now and before. */
interface WrittenPost extends PostWithPoints {
  postNumber: string
  network: Network
  author: string | null
  before: StoredPost | undefined
  looks: readonly PostObservation[]
}

/** The observation at its effective time: that of the record, if it states one. */
function observationOf(reading: Reading, post: PostSighting): PostObservation {
  return { reading: readingAtRecordTime(reading, post.observedAt), post }
}

const postIdOf = ({ post }: PostObservation) => `${post.network}_${post.nativeId}`

/** Stored posts with their points at the newly observed moments. */
async function withPoints(
  db: Database,
  stored: ReadonlyMap<string, StoredPost>,
  seen: ReadonlyMap<string, readonly PostObservation[]>,
): Promise<Map<string, PostWithPoints>> {
  if (stored.size === 0) return new Map()
  const asked = [...stored.values()].flatMap(({ postId, postNumber }) => {
    const times = new Set((seen.get(postId) ?? []).map(({ reading }) => reading.observedAt.getTime()))
    return [...times].map((time) => ({ postNumber, observedAt: new Date(time) }))
  })
  const points = Map.groupBy(await storedPoints(db, asked), (point) => point.postNumber)
  return new Map(
    [...stored.values()].map(({ postNumber, author, ...state }) => [
      state.postId,
      {
        state,
        points: new Map(
          (points.get(postNumber) ?? []).map(({ postNumber: _, ...point }) => [
            point.observedAt.getTime(),
            point,
          ]),
        ),
      },
    ]),
  )
}

async function added(
  before: PostWithPoints | undefined,
  postId: string,
  looks: readonly PostObservation[],
): Promise<PostWithPoints> {
  let after = before && { ...before, state: withoutDetectedLanguage(before.state) }
  for (const look of looks) after = addObservation(after, postId, look)
  if (!after) throw new Error(`Nothing was observed of ${postId}.`)
  const stored = before ? [storedPostWords(before.state.facts)] : []
  return { ...after, state: await withPostLanguage(after.state, [...looks.map(({ post }) => post), ...stored]) }
}

const authorOf = ({ facts }: PostWithPoints['state']) => (facts.author ? normaliseHandle(facts.author) : null)

/** @returns the usual figures of every author of these posts, by `authorKey` */
async function updateAuthors(db: Database, posts: readonly WrittenPost[]): Promise<Map<string, AuthorFigures>> {
  const touched = new Map<string, AuthorKey>()
  const left = new Map<string, AuthorKey>()
  for (const { network, author, before } of posts) {
    if (author) touched.set(authorKey(network, author), { network, author })
    if (before?.author && before.author !== author)
      left.set(authorKey(network, before.author), { network, author: before.author })
  }
  const figures = await refreshAuthors(db, [...new Map([...touched, ...left]).values()])
  await deleteAuthorsWithoutPosts(db, [...left.values()])
  return new Map(figures.map((one) => [authorKey(one.network, one.author), one]))
}

const authorKey = (network: Network, author: string) => `${network} ${author}`

/**
 * Updates search from the data at hand. The counts of a post with a newer stored observation are read from the store, and so
 * are the other posts of an author whose median moved.
 */
async function updateSearch(
  db: Database,
  posts: readonly WrittenPost[],
  authors: ReadonlyMap<string, AuthorFigures>,
): Promise<void> {
  const atHand: PostToIndex[] = []
  const others: string[] = []
  const written = new Map<string, number>()
  for (const { postNumber, network, author, state, points } of posts) {
    const figures = author === null ? undefined : authors.get(authorKey(network, author))
    if (author !== null)
      written.set(authorKey(network, author), (written.get(authorKey(network, author)) ?? 0) + 1)
    const metrics = points.get(state.lastObservedAt.getTime())
    const { medianViews = null, postsMeasured = 0, usualAtAge = [], language = null } = figures ?? {}
    const facts = withAuthorsLanguage(state.facts, language)
    const age = postAgeOf(facts.publishedAt, state.lastObservedAt)
    if (metrics)
      atHand.push({ postNumber, network, author, facts, metrics, age, medianViews, postsMeasured, usualAtAge })
    else others.push(postNumber)
  }
  await indexPostRows(db, atHand)
  const inAnotherLanguage = await postsOfMovedAuthors(db, [...authors.values()])
  const toRead = [...new Set([...others, ...inAnotherLanguage])]
  if (toRead.length > 0) await indexPosts(db, toRead)
  await reindexOutliers(
    db,
    [...authors].filter(([key, { posts }]) => posts > (written.get(key) ?? 0)).map(([, author]) => author),
  )
}

/** Posts whose language changes with the detected language of their author. */
async function postsOfMovedAuthors(db: Database, authors: readonly AuthorFigures[]): Promise<string[]> {
  const found: string[] = []
  for (const author of authors) {
    const { language, languageBefore } = author
    if (language === languageBefore) continue
    const languages = [language, languageBefore].filter((one) => one !== null)
    found.push(...(await postsPossiblyIn(db, author, languages)))
  }
  return found
}

function mentionsOf(postNumber: string, looks: readonly PostObservation[]): Mention[] {
  const first = new Map<string, Mention>()
  for (const { reading, post } of looks) {
    for (const handle of mentionsIn(post.network, post.stated)) {
      const { readingId, key, observedAt } = reading
      const before = first.get(handle)
      const later = before ? observedAt.getTime() - before.observedAt.getTime() : -1
      if (!before || later < 0 || (later === 0 && compareReadings(reading, before) > 0))
        first.set(handle, { network: post.network, handle, postNumber, readingId, key, observedAt })
    }
  }
  return [...first.values()]
}
