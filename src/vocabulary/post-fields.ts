import { labelFromKey } from './label-from-key.ts'

export const postMediaTypes = ['video', 'image', 'carousel', 'text', 'link'] as const

export type PostMediaType = (typeof postMediaTypes)[number]

/** The value of each kind of field. Its shape in replies, the way it is imported and how it is shown follow from the kind, too. */
export interface PostFieldTypes {
  /** A name. */
  line: string
  text: string
  /** Absolute, http or https. */
  address: string
  addresses: string[]
  count: number
  /** BCP 47. */
  language: string
  /** Lower case, without #, in the order of the text. */
  tags: string[]
  /** RFC 3339 in UTC. */
  time: string
  mediaType: PostMediaType
}

export type PostFieldKind = keyof PostFieldTypes

interface FieldRow {
  kind: PostFieldKind
  /** Whether it belongs to the post or to its author, as whom replies and records of our own shape show it. */
  of: 'author' | 'post'
  /** Stored for exports and for links to apps, and in no reply. */
  unshown?: true
  /** Name in replies, if different from the key. */
  reply?: string
  /** Description in the contract. */
  about?: string
  /** Whether exported tables leave it out. */
  notInTables?: true
  /** Whether exported tables name its observation, too. */
  columnOfEvidence?: true
  /** Label on pages and, in small letters, at terminals, if different from the key. */
  label?: string
  /** Description in import mappings, where its name is the key. Left out if mappings cannot fill it. */
  mapping?: string
  /** Name in records of our own shape, if different from the key. */
  own?: string
}

/**
 * What is stored of a post, in the order of replies. A new field needs a row here and a line in a parser. Beside these stand the
 * address of the post, its author's handle and its media, and what is counted at each observation (`postMetrics`).
 */
export const postFields = {
  authorName: {
    kind: 'line',
    of: 'author',
    reply: 'name',
    about: 'Name shown on the profile.',
    label: 'Author',
    mapping: 'name shown on the profile',
    own: 'name',
  },
  authorUrl: {
    kind: 'address',
    of: 'author',
    reply: 'profileUrl',
    notInTables: true,
    label: 'Profile',
    mapping: 'address of the profile',
    own: 'url',
  },
  authorBio: {
    kind: 'text',
    of: 'author',
    unshown: true,
    mapping: 'what the author writes about themselves',
    own: 'bio',
  },
  /** Further addresses on the profile. */
  authorLinks: { kind: 'addresses', of: 'author', unshown: true, own: 'links' },
  followers: { kind: 'count', of: 'author', columnOfEvidence: true, mapping: 'how many follow the author' },
  community: {
    kind: 'line',
    of: 'post',
    about: 'Subreddit or channel it was posted in, where the network has them.',
    mapping: 'subreddit or channel',
  },
  title: { kind: 'text', of: 'post', about: 'Title, where the network has them.', mapping: 'title' },
  text: {
    kind: 'text',
    of: 'post',
    about: 'Caption, description or body, unshortened and untranslated.',
    mapping: 'caption, description or body',
  },
  linkUrl: {
    kind: 'address',
    of: 'post',
    about: 'Address the post shares.',
    mapping: 'address the post shares',
  },
  language: {
    kind: 'language',
    of: 'post',
    about: 'As the network states it, else detected here from the text.',
    mapping: 'BCP 47 code, as the network states it',
  },
  hashtags: {
    kind: 'tags',
    of: 'post',
    about: 'Lower case, without `#`, in the order of the text.',
    mapping:
      'a list, or text separated by spaces, commas, ; or |, or what the mapping names; otherwise those of the text',
  },
  publishedAt: {
    kind: 'time',
    of: 'post',
    label: 'Published',
    mapping: 'RFC 3339, a date, or seconds or milliseconds since 1970',
  },
  mediaType: {
    kind: 'mediaType',
    of: 'post',
    label: 'Format',
    mapping: 'video, image, carousel, text or link',
  },
} as const satisfies Record<string, FieldRow>

export type PostField = keyof typeof postFields

type Row<Field extends PostField> = (typeof postFields)[Field]

export const postFieldRow = (field: PostField): FieldRow => postFields[field]

export const allPostFields = Object.keys(postFields) as PostField[]

export type PostFieldOf<Owner extends FieldRow['of']> = {
  [Field in PostField]: Row<Field>['of'] extends Owner ? Field : never
}[PostField]

const fieldsOf = <Owner extends FieldRow['of']>(owner: Owner) =>
  allPostFields.filter((field): field is PostFieldOf<Owner> => postFields[field].of === owner)

/** The fields of a post and of its author, in the order of the table. */
export const postFieldsOf = { author: fieldsOf('author'), post: fieldsOf('post') }

/** A field that replies show. */
export type RepliedPostField = {
  [Field in PostField]: Row<Field> extends { unshown: true } ? never : Field
}[PostField]

const isReplied = (field: PostField): field is RepliedPostField => !postFieldRow(field).unshown

/** Those of the fields of a post and of its author that replies show. */
export const repliedPostFieldsOf = {
  author: postFieldsOf.author.filter((field) => isReplied(field)),
  post: postFieldsOf.post.filter((field) => isReplied(field)),
}

type UnshownPostField = Exclude<PostField, RepliedPostField>

export const exportOnlyPostFields = allPostFields.filter(
  (field): field is UnshownPostField => !isReplied(field),
)

/** The name of a field in replies. */
export type PostReplyName<Field extends PostField> = Field extends PostField
  ? Row<Field> extends { reply: infer Name }
    ? Name
    : Field
  : never

export const postReplyName = <Field extends PostField>(field: Field) =>
  (postFieldRow(field).reply ?? field) as PostReplyName<Field>

/** The label of a field on pages. */
export const postLabel = (field: PostField): string => postFieldRow(field).label ?? labelFromKey(field)

/** The column of a field in exported tables; null if they do not show it. */
export function postColumn(field: PostField): string | null {
  const { unshown, notInTables } = postFieldRow(field)
  return unshown || notInTables ? null : field
}

/** The values of the fields. */
export type PostFieldTypesOf<Field extends PostField> = { [F in Field]: PostFieldTypes[Row<F>['kind']] }

/** The name of a field in records of our own shape. */
export type PostOwnFormatName<Field extends PostField> = Field extends PostField
  ? Row<Field> extends { own: infer Name }
    ? Name
    : Field
  : never

export const postOwnFormatName = <Field extends PostField>(field: Field) =>
  (postFieldRow(field).own ?? field) as PostOwnFormatName<Field>

interface MetricRow {
  /** Description in the contract. */
  about: string
  /** Description in import mappings. */
  mapping: string
  /** The same of the field that tells whether it is hidden: the name with `Hidden`. */
  hiddenMapping: string
}

/**
 * What is counted of a post at each observation. Each has a column in `post_metrics`. A new one needs a row here, a line in a parser
 * and a migration that adds the column, and its word to the check of `hidden`.
 */
export const postMetrics = {
  views: {
    about: 'Views or plays; not measured where the network hides them, as Reddit does.',
    mapping: 'views or plays',
    hiddenMapping: 'whether views are hidden: true or false, yes or no, 1 or 0; then no number counts',
  },
  likes: {
    about: 'Likes; the score on Reddit. Not measured, `hidden-upstream`, where the author hides them.',
    mapping: 'likes, or the score on Reddit',
    hiddenMapping: 'whether likes are hidden',
  },
  comments: {
    about: 'Comments; `hidden-upstream` where they are switched off.',
    mapping: 'comments',
    hiddenMapping: 'whether comments are hidden, or switched off',
  },
  shares: {
    about: 'Shares or reposts.',
    mapping: 'shares or reposts',
    hiddenMapping: 'whether shares are hidden',
  },
  saves: {
    about: 'Bookmarks or favourites by viewers on the network.',
    mapping: 'bookmarks or favourites',
    hiddenMapping: 'whether saves are hidden',
  },
} as const satisfies Record<string, MetricRow>

export type PostMetric = keyof typeof postMetrics

export const metrics = Object.keys(postMetrics) as readonly PostMetric[]

/** Something of each metric, by its name. */
export const mapMetrics = <Value>(of: (metric: PostMetric) => Value) =>
  Object.fromEntries(metrics.map((metric) => [metric, of(metric)])) as Record<PostMetric, Value>
