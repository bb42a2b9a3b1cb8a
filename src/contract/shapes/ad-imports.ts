import { z } from 'zod'
import {
  type AskedPlatform,
  adLibraryRow,
  adPlatforms,
  askedLibraryRow,
  askedPlatforms,
  searchSubjectsOf,
} from '../../vocabulary/ad-platforms.ts'
import { joinWithOr } from '../../vocabulary/join-with-or.ts'
import { type AdSubject, type AskedRow, supplierRow } from '../../vocabulary/suppliers.ts'
import { AppLabel, AppReference } from './apps.ts'
import { EvidenceList } from './evidence.ts'
import { Total } from './page.ts'
import { AdCountry, AdCoverage, AdPlatform, AdvertiserId, ArchiveId } from './paid-ads.ts'
import { Country, Day, Language, Timestamp, Uuid } from './primitives.ts'
import { WorkStatus } from './work.ts'

/** The administrative side of paid ads: advertisers, previews, import runs and links. */

export const KnownAdvertiser = z
  .object({
    platform: AdPlatform,
    kind: z
      .enum(['advertiser', 'app'])
      .describe('`app`: the platform named an advertised app; its id goes into `apps` of a query.'),
    advertiserId: AdvertiserId.describe('Of an `app`, its App Store id.'),
    name: z.string().describe('Newest name seen; the id where no record names it.'),
    country: AdCountry.nullable().describe(
      'Country of the business, where the platform states it; null where not.',
    ),
    foundIn: z
      .array(z.enum(['stored', 'upstream']))
      .min(1)
      .describe('`stored`: ads of it are stored here. `upstream`: the platform answered it just now.'),
    storedAds: z.int().min(0).describe('Ads of this advertiser stored here.'),
    newestObservationAt: Timestamp.nullable().describe('Of its stored ads; null when there are none.'),
    linkedApps: z.array(AppLabel).describe('Apps its ads are linked to, most ads first, at most 5.'),
    evidence: EvidenceList,
  })
  .meta({ id: 'KnownAdvertiser', description: 'An advertiser known here, upstream, or both.' })

export const AdvertiserLookup = z
  .object({
    platform: AdPlatform,
    outcome: z
      .enum(['answered', 'not-configured', 'cannot-be-asked', 'failed', 'timed-out', 'throttled'])
      .describe('`cannot-be-asked`: the platform offers no search for advertisers.'),
    found: z.int().min(0).nullable().describe('Advertisers it answered; null unless `answered`.'),
    message: z.string().nullable().describe('What is missing or went wrong; null when it answered.'),
  })
  .meta({ id: 'AdvertiserLookup', description: 'How asking one platform went.' })

export const AdRestriction = z
  .object({
    platform: AdPlatform,
    action: z.string().describe('As the library writes it, such as `ACTION_ADVERTISING_REMOVED`.'),
    actedOn: Day,
    reason: z.string().nullable().describe('As the library writes it; null where it gives none.'),
    basis: z.string().nullable().describe('As the library writes it; null where it gives none.'),
    details: z.string().nullable().describe('As the library writes them; null where it gives none.'),
    advertiserId: AdvertiserId.nullable().describe(
      'Null where the library does not say whom it is about: then it is known of nobody.',
    ),
  })
  .meta({ id: 'AdRestriction', description: 'A suspension of an advertiser, or advertising that was removed.' })

const AdMediaType = z
  .enum(['image', 'meme', 'video', 'none'])
  .meta({ id: 'AdMediaType', description: "Meta's kinds of media; `meme` is a picture with text." })

const librariesFiltering = (filter: 'mediaTypes' | 'languages') =>
  askedPlatforms
    .filter((platform) => askedLibraryRow(platform).filters.includes(filter))
    .map((platform) => supplierRow(platform).label)
    .join(' and ')

/** A sentence for each library that differs in something. */
const sentences = (sentenceOf: (library: AskedRow, label: string) => string | 0 | undefined) =>
  askedPlatforms
    .map((platform) => sentenceOf(askedLibraryRow(platform), supplierRow(platform).label))
    .filter(Boolean)
    .map((sentence) => ` ${sentence}.`)
    .join('')

/** What the libraries take of each field. */
const taken = {
  advertiserIds: sentences(
    ({ advertisersTogether: most }, label) => most && `${label} is asked for ${most} at a time`,
  ),
  terms: sentences(
    ({ longestTerm: most, termsAreAdvertisers }, label) =>
      (most && `${label} allows ${most} characters`) ||
      (termsAreAdvertisers && `At ${label} a term is part of the name of an advertiser`),
  ),
  countries: sentences(
    ({ countriesTogether: most }, label) =>
      most && `${label} is asked for ${most === 1 ? 'one' : most} at a time`,
  ),
  deliveredFrom: sentences(
    ({ firstDay, lastDays }, label) =>
      (firstDay && `${label}: ${firstDay} when left out`) ??
      (lastDays && `${label}: the last ${joinWithOr(lastDays.choices.map(String))} days that reach back to it`),
  ),
  deliveredTo: sentences(({ endsYesterday }, label) => endsYesterday && `${label}: yesterday when left out`),
}

const librariesTaking = (subject: AdSubject) =>
  askedPlatforms
    .filter((platform) => searchSubjectsOf(platform).includes(subject))
    .map((platform) => supplierRow(platform).label)
    .join(' and ')

/** A query to an ad library. Every part may be left out. */
const adQuery = {
  apps: z
    .array(AppReference)
    .min(1)
    .max(100)
    .optional()
    .describe(`${librariesTaking('apps')} only. Ads of any of these apps.`),
  archiveIds: z
    .array(ArchiveId)
    .min(1)
    .max(100)
    .optional()
    .describe(`${librariesTaking('archiveIds')} only. These ads, with their variants in all languages.`),
  advertiserIds: z
    .array(AdvertiserId)
    .min(1)
    .max(100)
    .optional()
    .describe(`Ads of any of these advertisers.${taken.advertiserIds}`),
  terms: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(10)
    .optional()
    .describe(`One search for each; the words of a term must all occur.${taken.terms}`),
  countries: z
    .array(Country)
    .min(1)
    .max(50)
    .optional()
    .describe(
      `Delivered in any of these. Every country the library answers for when left out.${taken.countries}`,
    ),
  active: z.boolean().optional().describe('Running or ended ads only; both when left out.'),
  deliveredFrom: Day.optional().describe(`Delivered on this date or later.${taken.deliveredFrom}`),
  deliveredTo: Day.optional().describe(`Delivered on this date or earlier.${taken.deliveredTo}`),
  mediaTypes: z
    .array(AdMediaType)
    .min(1)
    .max(4)
    .optional()
    .describe(`${librariesFiltering('mediaTypes')} only. Any of these, asked for one at a time.`),
  languages: z
    .array(Language)
    .min(1)
    .max(20)
    .optional()
    .describe(`${librariesFiltering('languages')} only. Any of these.`),
  limit: z
    .int()
    .min(1)
    .max(10000)
    .optional()
    .describe('Stop after so many ads; 500 when left out. Not used with `records`.'),
}

const recordsInWords = adPlatforms
  .flatMap((platform) => adLibraryRow(platform).records)
  .map((words, at, all) => `${at > 0 && at === all.length - 1 ? 'or ' : ''}of ${words}`)
  .join(', ')

const records = z
  .array(z.record(z.string(), z.unknown()))
  .min(1)
  .max(1000)
  .optional()
  .describe(
    `Ads as the platform answers them. These are items ${recordsInWords}; the form is recognised for each record.`,
  )

/** A choice of properties as JSON Schema: some required, some allowed, all others of the body forbidden. */
/** Equivalent to `false`, which not all client generators accept as a schema. */
const nothing = { not: {} }

function choice(all: readonly string[], needed: readonly string[], allowed: readonly string[] = []) {
  const may = [...needed, ...allowed]
  return {
    required: [...needed],
    properties: Object.fromEntries(all.map((name) => [name, may.includes(name) ? {} : nothing])),
  }
}
const queryNames = Object.keys(adQuery)

/** What can be asked for by some libraries only. */
const particular = ['terms', 'apps', 'archiveIds', 'advertiserIds'] as const

/** The queries that a library takes: each names something that it can be asked for, beside what the ones before do not need. */
function queriesOf(platform: AskedPlatform, all: readonly string[]) {
  const { termsOrAdvertisers, longestTerm } = askedLibraryRow(platform)
  const subjects = searchSubjectsOf(platform)
  const neverTaken = particular.filter((name) => !subjects.includes(name))
  return subjects.map((needed, at) => {
    const others: readonly string[] = [
      ...neverTaken,
      ...subjects.slice(0, at),
      ...(termsOrAdvertisers && needed === 'terms' ? ['advertiserIds'] : []),
    ]
    const { required, properties } = choice(
      all,
      ['platform', needed],
      queryNames.filter((name) => !others.includes(name)),
    )
    const terms =
      needed === 'terms' && longestTerm !== undefined
        ? { terms: { type: 'array', items: { type: 'string', maxLength: longestTerm } } }
        : {}
    return { required, properties: { ...properties, platform: { const: platform }, ...terms } }
  })
}

/** The alternatives: a query that the library takes, or records. */
const subjects = (all: readonly string[]) => [
  ...askedPlatforms.flatMap((platform) => queriesOf(platform, all)),
  choice(all, ['platform', 'records']),
]
const previewNames = ['platform', 'records', ...queryNames]
const importNames = ['previewToken', 'withdrawRunId', ...previewNames]

/** Valid combinations are in `anyOf` for readers of the document; the handlers explain them in words. */
export const AdPreviewBody = z.strictObject({ platform: AdPlatform, ...adQuery, records }).meta({
  anyOf: subjects(previewNames),
})

export const AdImportBody = z
  .strictObject({
    previewToken: z
      .string()
      .min(1)
      .max(600)
      .optional()
      .describe('From a preview not older than 15 minutes. Leave out everything else.'),
    withdrawRunId: Uuid.optional().describe(
      'Alone; takes back the `records` of this run. It must be of this account.',
    ),
    platform: AdPlatform.optional(),
    ...adQuery,
    records,
  })
  .meta({
    anyOf: [
      choice(importNames, ['previewToken']),
      choice(importNames, ['withdrawRunId']),
      ...subjects(importNames),
    ],
  })

const AdQuery = z.object(adQuery).meta({
  id: 'AdQuery',
  description: 'What a library was asked for, with defaults filled in; parts not given are missing.',
})

const RecordRejection = z
  .object({
    position: z.int().min(1).describe('Place among the records read, 1 is first.'),
    archiveId: ArchiveId.nullable().describe('Null when the record has none that can be read.'),
    reason: z.enum(['no-id', 'wrong-platform', 'unknown-form', 'impossible-date', 'bad-value', 'too-large']),
    message: z.string().describe('Which part, and what is wrong with it.'),
  })
  .meta({ id: 'RecordRejection', description: 'A record that was not taken, and why.' })

const rejections = z.array(RecordRejection).describe('By position, the first 100; `rejected` counts all.')

const askedFor = {
  platform: AdPlatform,
  origin: z.enum(['library', 'records']).describe('Asked from the ad library, or given inline.'),
  query: AdQuery.nullable().describe('Null for inline records.'),
}

export const PreviewedAd = z
  .object({
    archiveId: ArchiveId,
    advertiserId: AdvertiserId.nullable().describe('Null when the record names none.'),
    advertiserName: z.string().nullable().describe('Null when the record names none.'),
    text: z
      .string()
      .nullable()
      .describe('First 300 characters of title and body; null when the record has neither.'),
    deliveryStartedOn: Day.nullable().describe('Null when the record has none.'),
    standing: z.enum(['new', 'known', 'changed']),
    changes: z.array(z.string()).describe('Fields that differ from what is stored; empty unless `changed`.'),
  })
  .meta({ id: 'PreviewedAd', description: 'An ad an import would meet.' })

export const AdImportPreview = z
  .object({
    ...askedFor,
    matching: Total.describe(
      'Ads the import would read. `at-least` when the library has not said how many there are.',
    ),
    examined: z
      .object({
        ads: z.int().min(0).describe('Ads the preview has read; the counts below are among these.'),
        new: z.int().min(0).describe('Not stored yet.'),
        known: z.int().min(0).describe('Stored and the same; the import adds an observation.'),
        changed: z.int().min(0).describe('Stored, with something different now.'),
        rejected: z.int().min(0).describe('Cannot be taken.'),
      })
      .describe('`ads` is the sum of the others.'),
    rejections,
    sample: z.array(PreviewedAd).describe('The first 10 ads that would be taken, in the order of the source.'),
    requestsUsed: z.int().min(0).describe('Requests to the library this preview made; 0 for inline records.'),
    requestsNeeded: Total.describe('Requests the import will make; exactly 0 for inline records.'),
    coverage: AdCoverage,
    previewToken: z
      .string()
      .describe('Pass to `admin_import_paid_ads`. Bound to exactly these arguments and this account.'),
    expiresAt: Timestamp.describe('15 minutes after the preview.'),
  })
  .meta({ id: 'AdImportPreview', description: 'What an import would do. Nothing was written.' })

export const AdImportRun = z
  .object({
    runId: Uuid,
    ...askedFor,
    ...WorkStatus.shape,
    counts: z.object({
      read: z.int().min(0).describe('Records read so far: the sum of the others.'),
      stored: z.int().min(0).describe('Ads that were not known.'),
      updated: z.int().min(0).describe('Known ads with something different.'),
      unchanged: z.int().min(0).describe('Known ads that were the same; the observation is kept.'),
      rejected: z.int().min(0).describe('Records that were not taken.'),
    }),
    rejections,
    upstream: z
      .object({
        requests: z.int().min(0).describe('Requests made over all attempts.'),
        pages: z.int().min(0).describe('Pages read and stored.'),
        position: z
          .enum(['not-started', 'reading', 'end', 'limit', 'throttled', 'failed'])
          .describe('`end`: the library had no more. `limit`: the limit asked for was reached.'),
        resumesAt: Timestamp.nullable().describe('When a throttled run goes on by itself; null otherwise.'),
        resumable: z.boolean().describe('Whether a retry can go on from the last stored page.'),
      })
      .nullable()
      .describe('Where the run stands in the ad library; null for inline records.'),
    coverage: AdCoverage,
    withdrawnAt: Timestamp.optional().describe(
      'When what its inline records brought was withdrawn, or was told not to be stored; left out while it stands.',
    ),
  })
  .meta({ id: 'AdImportRun', description: 'An import of paid ads and how far it has come.' })

const linkOthers = ['action', 'platform', 'competitor', 'note']
const linkNames = [...linkOthers, 'advertiserId', 'archiveIds']

export const AdLinkBody = z
  .strictObject({
    action: z
      .enum(['link', 'unlink', 'withdraw'])
      .describe(
        '`unlink`: is not its ad, against all other evidence. `withdraw`: takes back your own link or unlink.',
      ),
    platform: AdPlatform,
    advertiserId: AdvertiserId.optional().describe('All its ads, also future ones.'),
    archiveIds: z.array(ArchiveId).min(1).max(100).optional(),
    competitor: AppReference,
    note: z.string().max(500).optional().describe('Why; shown as the text the link rests on.'),
  })
  .meta({ anyOf: [['advertiserId'], ['archiveIds']].map((names) => choice(linkNames, names, linkOthers)) })

export const AdLinkDecision = z
  .object({
    decisionId: Uuid,
    action: AdLinkBody.shape.action,
    platform: AdPlatform,
    advertiserId: AdvertiserId.nullable().describe('Null when the decision is about single ads.'),
    archiveIds: z.array(ArchiveId).describe('The ads named; empty when the decision is about an advertiser.'),
    app: AppLabel,
    note: z.string().nullable(),
    appliesToFutureAds: z.boolean().describe('True for advertisers.'),
    storedAds: z.int().min(0).describe('Stored ads the decision applies to now.'),
    decidedAt: Timestamp,
  })
  .meta({
    id: 'AdLinkDecision',
    description: 'A decision by a person that ads belong, or do not belong, to an app.',
  })
