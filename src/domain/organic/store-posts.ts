import type { Database } from '../../storage/database.ts'
import { languageOf } from '../aso/language.ts'
import type { Stated } from '../creatives/stated.ts'
import type { Reading } from '../evidence/reading.ts'
import { type AccountName, type Mention, writeMentions } from './handle-queries.ts'
import { storeProfileHandles } from './known-handles.ts'
import type { Network, PostFields, PostSighting } from './post.ts'
import { mentionsIn, storeGroundsOf } from './post-links.ts'
import { addObservation, handleKey, type PostObservation, type PostWithPoints } from './post-state.ts'
import {
  type AuthorKey,
  dropAuthors,
  type GroundToWrite,
  insertPosts,
  lockPosts,
  type PostToWrite,
  refreshAuthors,
  type StoredPost,
  storedPoints,
  storedPosts,
  updatePosts,
  writeGrounds,
  writePoints,
} from './post-writes.ts'

/**
 * Adds posts to the library: what is known of each, a point of its metrics for each moment it was observed, what is usual
 * for its author, and why it belongs to apps. Any order of arrival gives the same. Runs inside the caller's transaction.
 */
export async function storePosts(
  db: Database,
  entries: readonly { reading: Reading; posts: readonly PostSighting[] }[],
): Promise<void> {
  const observations = await Promise.all(
    entries.flatMap(({ reading, posts }) => posts.map((post) => observationOf(reading, post))),
  )
  if (observations.length === 0) return
  await lockPosts(db)
  const seen = Map.groupBy(observations, postIdOf)
  const stored = new Map((await storedPosts(db, [...seen.keys()])).map((post) => [post.postId, post]))
  const before = await withPoints(db, stored, seen)
  const after = new Map([...seen].map(([postId, looks]) => [postId, added(before.get(postId), postId, looks)]))
  const numbers = await writePosts(db, after, stored)
  const posts = [...after].map(([postId, { state, points }]) => ({
    postNumber: numbers.get(postId) ?? '',
    looks: seen.get(postId) ?? [],
    before: stored.get(postId),
    points,
    author: authorOf(state),
    network: state.network,
  }))
  await writePoints(
    db,
    posts.flatMap(({ postNumber, points }) => [...points.values()].map((point) => ({ ...point, postNumber }))),
  )
  await tellAuthors(db, posts)
  await writeGrounds(
    db,
    posts.flatMap(({ postNumber, looks }) => groundsOf(postNumber, looks)),
  )
  const mentions = posts.flatMap(({ postNumber, looks }) => mentionsOf(postNumber, looks))
  await writeMentions(db, mentions)
  const mentioned = Map.groupBy(mentions, (mention) => mention.postNumber)
  await storeProfileHandles(
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

/** The look as it counts: at the time the record tells, and with the language its words are written in. */
async function observationOf(reading: Reading, post: PostSighting): Promise<PostObservation> {
  const { observedAt, stated } = post
  const words = wordsOf(stated)
  const detectedLanguage = words === undefined ? undefined : ((await languageOf(words)) ?? null)
  return {
    reading: observedAt ? { ...reading, observedAt, timeBasis: 'payload' } : reading,
    post: detectedLanguage === undefined ? post : { ...post, stated: { ...stated, detectedLanguage } },
  }
}

/** What tells a language: title and text without addresses, handles and hashtags. Undefined where nobody need ask. */
function wordsOf({ title, text, language }: Stated<PostFields>): string | undefined {
  if (language || (title === undefined && text === undefined)) return undefined
  return [title ?? '', text ?? ''].join('\n').replace(/https?:\/\/\S+|[@#＃][\p{L}\p{N}\p{M}_.]+/gu, ' ')
}

const postIdOf = ({ post }: PostObservation) => `${post.network}_${post.nativeId}`

/** Stored posts with the points at the moments that are observed now. */
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

function added(before: PostWithPoints | undefined, postId: string, looks: readonly PostObservation[]) {
  let after = before
  for (const look of looks) after = addObservation(after, postId, look)
  if (!after) throw new Error(`Nothing was observed of ${postId}.`)
  return after
}

const authorOf = ({ facts }: PostWithPoints['state']) => (facts.author ? handleKey(facts.author) : null)

/** @returns the number of each post by its id */
async function writePosts(
  db: Database,
  after: ReadonlyMap<string, PostWithPoints>,
  stored: ReadonlyMap<string, StoredPost>,
): Promise<Map<string, string>> {
  const fresh: PostToWrite[] = []
  const changed: (PostToWrite & { postNumber: string })[] = []
  for (const [postId, { state }] of after) {
    const post = { ...state, author: authorOf(state) }
    const postNumber = stored.get(postId)?.postNumber
    if (postNumber === undefined) fresh.push(post)
    else changed.push({ ...post, postNumber })
  }
  await updatePosts(db, changed)
  const inserted = await insertPosts(db, fresh)
  return new Map([...changed, ...inserted].map(({ postId, postNumber }) => [postId, postNumber]))
}

async function tellAuthors(
  db: Database,
  posts: readonly { network: Network; author: string | null; before: StoredPost | undefined }[],
): Promise<void> {
  const touched = new Map<string, AuthorKey>()
  const left = new Map<string, AuthorKey>()
  for (const { network, author, before } of posts) {
    if (author) touched.set(`${network} ${author}`, { network, author })
    if (before?.author && before.author !== author)
      left.set(`${network} ${before.author}`, { network, author: before.author })
  }
  await refreshAuthors(db, [...new Map([...touched, ...left]).values()])
  await dropAuthors(db, [...left.values()])
}

/** App Store addresses in what was observed, each key once, from the earliest look. */
function groundsOf(postNumber: string, looks: readonly PostObservation[]): GroundToWrite[] {
  const first = new Map<string, GroundToWrite>()
  for (const { reading, post } of looks) {
    for (const ground of storeGroundsOf(post.stated)) {
      const key = `${ground.storeId} ${ground.foundIn}`
      const found = { ...ground, postNumber, readingId: reading.readingId, recordedAt: reading.observedAt }
      const before = first.get(key)
      if (!before || isEarlier(found, before)) first.set(key, found)
    }
  }
  return [...first.values()]
}

function isEarlier(one: GroundToWrite, other: GroundToWrite): boolean {
  const difference = one.recordedAt.getTime() - other.recordedAt.getTime()
  return difference === 0 ? Buffer.compare(Buffer.from(one.text), Buffer.from(other.text)) < 0 : difference < 0
}

function mentionsOf(postNumber: string, looks: readonly PostObservation[]): Mention[] {
  const first = new Map<string, Mention>()
  for (const { reading, post } of looks) {
    for (const handle of mentionsIn(post.network, post.stated)) {
      const { readingId, observedAt } = reading
      const before = first.get(handle)
      if (!before || observedAt < before.observedAt)
        first.set(handle, { network: post.network, handle, postNumber, readingId, observedAt })
    }
  }
  return [...first.values()]
}
