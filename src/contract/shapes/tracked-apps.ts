import { z } from 'zod'
import { trackedRoles } from '../../vocabulary/app-relations.ts'
import { AppLabel } from './apps.ts'
import { Rank } from './charts.ts'
import { Intake } from './competitors.ts'
import { AppFreshness } from './freshness.ts'
import { AppMoves } from './moves.ts'
import { Country, Note, Tags, Timestamp, Uuid } from './primitives.ts'
import { RankDistribution, RankMovement, Visibility } from './visibility.ts'
import { WorkStatus } from './work.ts'

/** Most keywords of a tracked app, so that its workstation fits in one reply. */
export const keywordsPerApp = 2000

export const AsoRole = z.enum(trackedRoles).meta({
  id: 'AsoRole',
  description:
    '`own`: to be improved. `rival`: own apps are compared with it. `watched`: looked at, compared with nothing.',
})

export const TrackedApp = z
  .object({
    appId: Uuid.describe('Names this app in this storefront for this account.'),
    app: AppLabel,
    country: Country.describe('Storefront it is tracked in.'),
    role: AsoRole,
    rivalOf: Uuid.nullable().describe(
      'The tracked app that a rival belongs to; null for a rival of every own app of the storefront, and for other roles.',
    ),
    trackedAt: Timestamp,
    keywordCount: z.int().min(0).max(keywordsPerApp),
    notFoundSince: Timestamp.nullable().describe(
      'Since when its storefront does not list it, confirmed by a second miss; null while it does, or nobody knows. `availability` of `get_competitor` says whether it is probably removed.',
    ),
    intake: Intake.nullable().describe(
      'The taking-in of an app that the catalogue of the storefront does not hold yet, with why it failed if it did; null once it is there.',
    ),
  })
  .meta({ id: 'TrackedApp', description: 'An app that the account tracks in one storefront.' })

export const AsoRefresh = z
  .object({
    appId: Uuid,
    ...WorkStatus.shape,
    searches: z
      .int()
      .min(0)
      .describe(
        'Searches it takes: one for each keyword without a page of the last hour. Each serves all tracked apps.',
      ),
    skipped: z.int().min(0).describe('Keywords whose page is younger than an hour and is used as it is.'),
    searchesPerMinute: z.number().min(0).describe('Pace this installation keeps; 0 without a limit.'),
    expectedSeconds: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Seconds until it is likely to end, at that pace and in turn with the other refreshes of this account; what others ask for can make it longer. Null once ended.',
      ),
    failures: z
      .array(
        z
          .object({ term: z.string(), code: z.string(), message: z.string(), at: Timestamp })
          .meta({ id: 'FailedSearch', description: 'A keyword that could not be searched.' }),
      )
      .describe('Newest first, at most 20; asked again by the next attempt. Empty when none failed.'),
  })
  .meta({
    id: 'AsoRefresh',
    description:
      'The refresh of a tracked app: its listing, its rivals’ listings, and a result page for each keyword.',
  })

export const TrackedAppSummary = z
  .object({
    ...TrackedApp.shape,
    visibility: Visibility.describe('Over the keywords of the app.'),
    distribution: RankDistribution,
    over7Days: RankMovement.describe('Newest page of each keyword against the newest one 7 to 14 days older.'),
    moves: AppMoves,
    freshness: AppFreshness,
    refresh: AsoRefresh.nullable().describe('The last refresh; null when there was none.'),
  })
  .meta({ id: 'TrackedAppSummary', description: 'A tracked app with its summary figures.' })

export const AsoKeyword = z
  .object({
    keywordId: Uuid,
    term: z.string().describe('As normalised here: one form for spaces, width and case.'),
    addedAt: Timestamp,
    tags: Tags.describe('In the order given, each once; empty when there are none.'),
    note: Note.nullable().describe('Null when there is none.'),
    rank: Rank.describe(
      'On the newest stored page; `never-collected` when the term was never searched here, `source-failed` when the search failed.',
    ),
    observedAt: Timestamp.nullable().describe('Time of that page; null without one.'),
    surface: z
      .string()
      .nullable()
      .describe('Surface of that page, such as `iTunes Search API`; null without one.'),
  })
  .meta({ id: 'AsoKeyword', description: 'A keyword of a tracked app.' })

const termOutcome = { given: z.string().describe('The term as it was sent.'), keyword: AsoKeyword }

export const KeywordsAdded = z
  .object({
    added: z
      .array(z.object(termOutcome).meta({ id: 'AddedTerm', description: 'A term that is new on the app.' }))
      .describe('In the order sent.'),
    alreadyThere: z
      .array(z.object(termOutcome).meta({ id: 'KnownTerm', description: 'A term the app had already.' }))
      .describe('In the order sent; also a term sent twice, for its second time.'),
    refused: z
      .array(
        z
          .object({
            given: z
              .string()
              .describe('The term as it was sent, cut after 200 characters, without what is no text.'),
            reason: z
              .enum(['empty', 'no-letters', 'too-long', 'not-text', 'keywords-full'])
              .describe(
                '`not-text`: holds control characters, half a letter, or more marks on a letter than any language writes. `no-letters`: neither a letter nor a digit, such as only emoji. `too-long`: over 200 characters. `keywords-full`: the app holds 2,000 keywords.',
              ),
            message: z.string().describe('What to do, in a plain sentence.'),
          })
          .meta({ id: 'RefusedTerm', description: 'A term that was not taken.' }),
      )
      .describe('In the order sent.'),
    keywordCount: z.int().min(0).max(keywordsPerApp).describe('Keywords the app holds now.'),
  })
  .meta({ id: 'KeywordsAdded', description: 'What became of each term sent; each is in exactly one list.' })
