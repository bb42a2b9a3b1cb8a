import { z } from 'zod'
import { metricsHiddenBy } from '../../domain/organic/post.ts'
import type { PostDraft } from '../../ingest/posts/post-draft.ts'
import { networks } from '../../vocabulary/networks.ts'
import {
  exportOnlyPostFields,
  mapMetrics,
  metrics,
  type PostReplyName,
  postOwnFormatName,
  postReplyName,
  type RepliedPostField,
  repliedPostFieldsOf,
} from '../../vocabulary/post-fields.ts'
import { ExportedEvidence, ExportedFact, isExported, statedBy } from './exported-table.ts'

const Point = z.object({ observedAt: z.string(), ...mapMetrics(() => ExportedFact) })

/** Fields as facts, by their names in replies. */
const factsNamed = <Field extends RepliedPostField>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [postReplyName(field), ExportedFact])) as Record<
    PostReplyName<Field>,
    typeof ExportedFact
  >

const Medium = z.object({
  kind: z.string(),
  sourceUrl: z.string().nullable(),
  ...{ width: ExportedFact, height: ExportedFact, durationSeconds: ExportedFact },
})

/** A post exported by Rivalscope; computed values and an account's notes are not read. */
const ExportedPost = z.object({
  postId: z.string(),
  network: z.enum(networks),
  url: z.string(),
  author: z.object({ handle: z.string().nullable(), ...factsNamed(repliedPostFieldsOf.author) }),
  ...factsNamed(repliedPostFieldsOf.post),
  mediaStatus: z.object({ status: z.string() }),
  media: z.array(Medium),
  metrics: Point,
  metricsHistory: z.array(Point).optional(),
  firstObservedAt: z.string(),
  lastObservedAt: z.string(),
  unshown: z
    .object({
      ...(Object.fromEntries(exportOnlyPostFields.map((field) => [field, ExportedFact])) as Record<
        (typeof exportOnlyPostFields)[number],
        typeof ExportedFact
      >),
      captions: z.array(z.object({ position: z.int() }).loose()).optional(),
      unreadable: z.array(z.string()).optional(),
    })
    .optional(),
  evidence: ExportedEvidence,
})
type ExportedPost = z.output<typeof ExportedPost>

type Observation = PostDraft & { author: Record<string, unknown> }

/**
 * The observations of an exported post in our own shape, oldest first: one for each point of its metrics, with the facts that rest on
 * it. Undefined for what is no such record.
 */
export function observationsOf(record: object): PostDraft[] | undefined {
  if (!isExported(record)) return undefined
  const { data: post } = ExportedPost.safeParse(record)
  if (!post) return undefined
  const { postId, url, author, lastObservedAt } = post
  const observations = new Map<string, Observation>()
  const at = (observedAt: string): Observation => {
    const known = observations.get(observedAt)
    if (known) return known
    // Each has the author and the address, which other parts of a post depend on.
    const handle = author.handle === null ? {} : { handle: author.handle }
    const made: Observation = { postId, url, author: { ...handle }, observedAt }
    observations.set(observedAt, made)
    return made
  }
  at(post.firstObservedAt)
  for (const point of post.metricsHistory ?? [post.metrics])
    at(point.observedAt).metrics = countsOf(post.network, point)
  for (const [name, fact] of factsOf(post)) {
    const stated = statedBy(fact, post.evidence)
    if (stated) Object.assign(at(stated.observedAt ?? lastObservedAt), { [name]: stated.value })
  }
  for (const [name, fact] of authorFactsOf(post)) {
    const stated = statedBy(fact, post.evidence)
    if (stated) at(stated.observedAt ?? lastObservedAt).author[name] = stated.value
  }
  if (post.unshown?.unreadable) at(lastObservedAt).unreadable = post.unshown.unreadable
  const media = mediaOf(post)
  if (media) at(mediaSeenAt(post)).media = media
  return [...observations.values()].sort((one, other) =>
    String(one.observedAt) < String(other.observedAt) ? -1 : 1,
  )
}

const factsOf = (post: ExportedPost) =>
  repliedPostFieldsOf.post.map((field): [string, ExportedFact] => {
    const fact = post[postReplyName(field)]
    // An empty list means that there are none; with null they would be taken from the text.
    const isNone = field === 'hashtags' && fact?.state === 'absent'
    return [postOwnFormatName(field), isNone ? { ...fact, state: 'measured', value: [] } : fact]
  })

const authorFactsOf = ({ author, unshown }: ExportedPost) => [
  ...repliedPostFieldsOf.author.map((field): [string, ExportedFact] => [
    postOwnFormatName(field),
    author[postReplyName(field)],
  ]),
  ...exportOnlyPostFields.map((field): [string, ExportedFact] => [postOwnFormatName(field), unshown?.[field]]),
]

function countsOf(network: ExportedPost['network'], point: z.output<typeof Point>): Record<string, unknown> {
  const counts = metrics.flatMap((metric) =>
    point[metric]?.state === 'measured' ? [[metric, point[metric].value]] : [],
  )
  const hidden = metrics.filter(
    (metric) => point[metric]?.reason === 'hidden-upstream' && !metricsHiddenBy(network).includes(metric),
  )
  return { ...Object.fromEntries(counts), ...(hidden.length > 0 ? { hidden } : {}) }
}

/** Empty where the source showed that there is none; undefined where it showed nothing. */
function mediaOf({ media, mediaStatus, unshown }: ExportedPost): object[] | undefined {
  if (media.length === 0) return mediaStatus.status === 'text-only' ? [] : undefined
  return media.map(({ kind, sourceUrl, width, height, durationSeconds }, index) => {
    const captions = unshown?.captions?.find(({ position }) => position === index + 1)
    const lost = Object.entries({ width, height, durationSeconds }).filter(
      ([, fact]) => fact?.reason === 'unreadable',
    )
    return {
      ...{ kind, url: sourceUrl, width: width?.value, height: height?.value },
      ...{ durationSeconds: durationSeconds?.value, ...(captions ? { captions } : {}) },
      ...(lost.length > 0 ? { unreadable: lost.map(([name]) => name).sort() } : {}),
    }
  })
}

/** A record without sizes of its media still states their kind. */
function mediaSeenAt({ media, mediaType, evidence, lastObservedAt }: ExportedPost): string {
  const facts = [
    ...media.flatMap(({ width, height, durationSeconds }) => [width, height, durationSeconds]),
    mediaType,
  ]
  const places = facts.flatMap((fact) => fact?.evidence ?? [])
  return evidence[places[0] ?? -1]?.observedAt ?? lastObservedAt
}
