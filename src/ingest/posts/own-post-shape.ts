import { z } from 'zod'
import { metrics } from '../../domain/organic/post.ts'
import { networks } from '../../vocabulary/networks.ts'

/** Longer than any network takes. */
const longestText = 100_000
const longestName = 500

const Text = z.string().max(longestText)
const Name = z.string().max(longestName)
const Address = z.string().max(4000)
const Count = z.int().min(0)
const Moment = z.union([z.string(), z.number()])

const Captions = z.object({
  language: z.string().max(35).nullish(),
  segments: z.array(z.object({ startSeconds: z.number().min(0), endSeconds: z.number().min(0), text: Text })),
})

export const Medium = z.object({
  kind: z.enum(['video', 'image', 'thumbnail']),
  url: Address.nullish(),
  width: Count.nullish(),
  height: Count.nullish(),
  durationSeconds: z.number().min(0).nullish(),
  captions: Captions.nullish(),
  /** Of a record of another form: what of it cannot be read. */
  unreadable: z.array(z.enum(['url', 'width', 'height', 'durationSeconds'])).optional(),
})

/**
 * A post in our own shape, one per line of an NDJSON file; docs/imports.md explains it. An omitted field is not carried; null
 * or an empty text is absent. Unknown fields are ignored.
 */
export const OwnPost = z.object({
  /** `<network>_<native id>`; or `network` and `id`. */
  postId: z.string().optional(),
  network: z.enum(networks).optional(),
  id: z.union([z.string(), z.number()]).optional(),
  url: Address.nullish(),
  author: z
    .object({
      handle: Name.nullish(),
      name: Name.nullish(),
      url: Address.nullish(),
      bio: Text.nullish(),
      links: z.array(Address).max(100).nullish(),
      followers: Count.nullish(),
    })
    .nullish(),
  community: Name.nullish(),
  title: Text.nullish(),
  text: Text.nullish(),
  linkUrl: Address.nullish(),
  language: z.string().max(35).nullish(),
  hashtags: z.array(Name).nullish(),
  publishedAt: Moment.nullish(),
  mediaType: z.enum(['video', 'image', 'carousel', 'text', 'link']).nullish(),
  media: z.array(Medium).max(100).nullish(),
  metrics: z
    .object({
      views: Count.nullish(),
      likes: Count.nullish(),
      comments: Count.nullish(),
      shares: Count.nullish(),
      saves: Count.nullish(),
      hidden: z.array(z.enum(metrics)).nullish(),
    })
    .nullish(),
  observedAt: Moment.nullish(),
  /** Of a post of an export: fields that its source carried and that cannot be read. */
  unreadable: z
    .array(z.enum(['url', 'authorUrl', 'authorLinks', 'linkUrl', 'hashtags', 'mediaType', 'media']))
    .optional(),
})

export type OwnPost = z.input<typeof OwnPost>
