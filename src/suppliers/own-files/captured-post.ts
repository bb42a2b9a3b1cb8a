import { type Around, firstOf } from '../../ingest/posts/post-draft.ts'

/** A record of a network as Zeeschuimer saw it in a browser, with the time at which it did. */
export function capturedPost(record: object): { around: Around; posts: unknown } | undefined {
  const seenAt = firstOf(record, 'timestamp_collected')
  const post = firstOf(record, 'data')
  return seenAt !== undefined && firstOf(record, 'source_platform') !== undefined && post !== undefined
    ? { around: { observedAt: seenAt }, posts: post }
    : undefined
}
