import { z } from 'zod'
import { searchSurfaces } from '../../vocabulary/search-surfaces.ts'
import { Rank } from './charts.ts'
import { Timestamp } from './primitives.ts'

const SearchSurface = z.enum(searchSurfaces).meta({
  id: 'SearchSurface',
  description:
    'Where Apple lists results: `itunes-search` is its Search API, `app-store-search` the web search page of the store. Ranks of two are never mixed.',
})

/** The argument of reads. */
export const surfaceArgument = SearchSurface.optional().describe("Else the account's.")

export const RankSurface = z
  .object({
    name: SearchSurface,
    label: z.string(),
    shows: z.string().describe('What its ranks are, and what it cannot show, in plain words.'),
  })
  .meta({ id: 'RankSurface', description: 'The surface that the ranks of a reply rest on.' })

export const NotListed = z
  .object({
    term: z.string().describe('The exact name of the app, which was searched for.'),
    depth: z.int().min(1).describe('Places on that page, which goes as deep as the surface does.'),
    observedAt: Timestamp,
    knownAt: Timestamp.describe('When a lookup or the page of the app last told it in this storefront.'),
  })
  .meta({
    id: 'NotListed',
    description:
      'The surface does not list the app, although the storefront has it: not in a search for its exact name, and on no page of a month before it or since. Its absences are not a matter of depth.',
  })

export const OtherSurfaceRank = z
  .object({
    surface: SearchSurface,
    rank: Rank.describe('On its newest page.'),
    observedAt: Timestamp,
    minutesApart: z.int().min(0).nullable().describe('Between the two pages; null without a page here.'),
    outcome: z
      .enum(['same', 'differs', 'not-compared'])
      .describe(
        '`not-compared`: more than six hours apart, only one of them looked at so deep, or no page here.',
      ),
    places: z.int().min(0).nullable().describe('Places between the ranks; null where there are not two.'),
    text: z.string().describe('The same in plain words.'),
  })
  .meta({ id: 'OtherSurfaceRank', description: 'The rank on another surface, beside the one of the reply.' })

export const otherSurfaces =
  'On other surfaces, each once. Empty where none has a page. Nothing else rests on them.'
