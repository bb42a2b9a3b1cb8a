import { z } from 'zod'
import { networks } from '../../vocabulary/networks.ts'
import {
  allPostFields,
  mapMetrics,
  metrics,
  type PostField,
  type PostOwnFormatName,
  postFields,
  postFieldsOf,
  postMediaTypes,
  postOwnFormatName,
} from '../../vocabulary/post-fields.ts'

/** Maximum length of a text; longer than any network allows. */
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
  /** The unreadable fields of a record in a foreign format. */
  unreadable: z.array(z.enum(['url', 'width', 'height', 'durationSeconds'])).optional(),
})

/** The form of a field in a record, by what it holds. */
const schemas = {
  line: Name.nullish(),
  text: Text.nullish(),
  address: Address.nullish(),
  addresses: z.array(Address).max(100).nullish(),
  count: Count.nullish(),
  language: z.string().max(35).nullish(),
  tags: z.array(Name).nullish(),
  time: Moment.nullish(),
  mediaType: z.enum(postMediaTypes).nullish(),
}

/** Fields with their schemas, by their names in our own shape. */
const schemasOf = <Field extends PostField>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [postOwnFormatName(field), schemas[postFields[field].kind]])) as {
    [F in Field as PostOwnFormatName<F>]: (typeof schemas)[(typeof postFields)[F]['kind']]
  }

/** Fields that other forms can carry in a form that cannot be read. */
const unreadableFields = allPostFields.filter((field) =>
  ['address', 'addresses', 'tags', 'mediaType'].includes(postFields[field].kind),
)

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
  author: z.object({ handle: Name.nullish(), ...schemasOf(postFieldsOf.author) }).nullish(),
  ...schemasOf(postFieldsOf.post),
  media: z.array(Medium).max(100).nullish(),
  metrics: z
    .object({ ...mapMetrics(() => Count.nullish()), hidden: z.array(z.enum(metrics)).nullish() })
    .nullish(),
  observedAt: Moment.nullish(),
  /** The unreadable fields of the source record, in an exported post. */
  unreadable: z.array(z.enum(['url', ...unreadableFields, 'media'])).optional(),
})

export type OwnPost = z.input<typeof OwnPost>
