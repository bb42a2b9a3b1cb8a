import { z } from 'zod'
import { ListingField } from './competitors.ts'
import { NotMeasured } from './facts.ts'
import { CompactRank } from './keywords.ts'
import { PostId } from './organic.ts'
import { AdPlatform, ArchiveId } from './paid-ads.ts'
import { Day, Timestamp } from './primitives.ts'

/** Most days of a window of moves: changes of ranks are known over twice as many. */
export const mostMoveDays = 30

const lastAt = Timestamp.describe('When it was looked at last.')
const moved = z.int().min(0).describe('How many moves there are, `items` among them.')
const notLookedAt =
  'Nobody looked within the window: `items` are those of the days before `lastAt`, and of the days since nothing is known.'

/** A part of an app with its moves: looked at, not looked at within the window, or not measured. */
function looked<Move extends z.ZodType>(name: string, move: Move, about: string, order: string) {
  const items = z.array(move).describe(`${order}, at most 5; empty when nothing moved.`)
  return z
    .discriminatedUnion('state', [
      z
        .object({ state: z.literal('measured'), lastAt, moved, items })
        .meta({ id: `Measured${name}`, description: 'Looked at within the window.' }),
      z
        .object({ state: z.literal('not-looked-at'), lastAt, moved, items })
        .meta({ id: `Old${name}`, description: notLookedAt }),
      NotMeasured,
    ])
    .meta({ id: name, description: about })
}

const rankMove = {
  from: CompactRank.describe('Rank then; `>200` is absent among 200 places.'),
  to: CompactRank.describe('Rank now.'),
  comparedOn: Day.describe("The storefront's own date of the older observation."),
  at: Timestamp.describe('Of the newest observation.'),
}

const largestFirst = 'Largest first, relative to the rank: 10 to 5 is more than 110 to 100'

const KeywordMoves = looked(
  'KeywordMoves',
  z
    .object({ term: z.string(), ...rankMove })
    .meta({ id: 'TermMove', description: 'A keyword at another rank.' }),
  'The newest page of each keyword against the newest one that is at least as many days older as the window is long, and at most twice as many. `too-little-evidence` without two such pages; `never-collected` also where the app has no keywords.',
  largestFirst,
)

const ChartMoves = looked(
  'ChartMoves',
  z
    .object({ chart: z.string().describe('Such as `Top Free, Finance`.'), ...rankMove })
    .meta({ id: 'ChartMove', description: 'A chart with the app at another place.' }),
  'The newest capture of each stored chart of the storefront against an older one of the same source, as for keywords.',
  largestFirst,
)

const value = z
  .string()
  .nullable()
  .optional()
  .describe(
    'Null for none; left out where a value is an address or too long for a line: `get_competitor_aso` has it.',
  )

const ListingMoves = looked(
  'ListingMoves',
  z
    .object({
      field: ListingField,
      from: value,
      to: value,
      comparedAt: Timestamp.describe('When it was last seen as before.'),
      at: Timestamp.describe('When it was first seen changed.'),
    })
    .meta({ id: 'ListingMove', description: 'A field of the listing with another value.' }),
  'Fields that were seen to change in the days before the listing was looked at last; pictures that cannot be compared are left out. `too-little-evidence` where it is not known for as long.',
  'What people notice first, versions last',
)

const creative = {
  text: z.string().nullable().describe('How it begins, at most 200 characters.'),
  by: z.string().nullable().describe('Advertiser or author; null when nobody says.'),
  firstSeenAt: Timestamp,
}

const NewAds = looked(
  'NewAds',
  z
    .object({
      platform: AdPlatform,
      archiveId: ArchiveId,
      ...creative,
      startedOn: Day.nullable().describe('As the library says; null when it does not.'),
    })
    .meta({ id: 'NewAd', description: 'An ad that was first seen.' }),
  'Ads linked to the app, in any storefront, that were first seen in the days before any ad of it was seen last, and had not run for longer than a week then. What a library tells days late counts as seen when it told. `never-collected` where no ad is linked to it.',
  'Newest first',
)

const NewPosts = looked(
  'NewPosts',
  z
    .object({
      postId: PostId,
      ...creative,
      publishedOn: Day,
    })
    .meta({ id: 'NewPost', description: 'A post that was published.' }),
  'Posts linked to the app that were published in the days before any post of it was seen last. `never-collected` where no post is linked to it.',
  'Newest first',
)

export const AppMoves = z
  .object({
    days: z.int().min(1).max(mostMoveDays).describe('Length of the window.'),
    keywords: KeywordMoves,
    charts: ChartMoves,
    listing: ListingMoves,
    ads: NewAds,
    posts: NewPosts,
  })
  .meta({
    id: 'AppMoves',
    description:
      'What moved for the app, part by part. The window of a part ends when it was looked at last, as `lastAt` says; ranks around a change are no proof that it moved them.',
  })
