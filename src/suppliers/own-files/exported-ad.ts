import { z } from 'zod'
import type { Attribution } from '../../domain/creatives/attributions.ts'
import { withUnreadable } from '../../domain/facts/merge.ts'
import type { AdSighting, CreativeFields, SeenCreative } from '../../domain/paid-ads/ad.ts'
import { attributionsInAd } from '../../domain/paid-ads/ad-links.ts'
import { asSighting } from '../../ingest/ads/ad-draft.ts'
import {
  AdRefusal,
  advertiserIdOf,
  archiveIdOf,
  fitting,
  isRecord,
  languageIn,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { carried } from '../../ingest/unreadable.ts'
import {
  type AdField,
  type AdLevelField,
  type AdReplyName,
  adFieldsOf,
  adLevelFields,
  adLevelFieldsWithoutAdvertiser,
  adOwnFormatName,
  adReplyName,
  observedAdFields,
} from '../../vocabulary/ad-fields.ts'
import { adPlatforms } from '../../vocabulary/ad-platforms.ts'
import { ExportedEvidence, ExportedFact, isExported, statedBy } from './exported-table.ts'
import { AdvertiserId, Creative, creativeAsStated, schemaOf, timeOf, valuesIn } from './own-ad.ts'

/** Fields as facts, by their names in replies. */
const factsNamed = <Field extends AdField>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [adReplyName(field), ExportedFact])) as Record<
    AdReplyName<Field>,
    typeof ExportedFact
  >

const Observation = z.object({ observedAt: z.string(), ...factsNamed(observedAdFields) })

const ShownCreative = z.object({
  position: z.int().min(1),
  ...factsNamed(adFieldsOf.creative),
  mediaStatus: z.object({ status: z.string() }),
  media: z.array(
    z.object({
      kind: z.string(),
      sourceUrl: z.string().nullable(),
      ...{ width: ExportedFact, height: ExportedFact, durationSeconds: ExportedFact },
    }),
  ),
  firstObservedAt: z.string(),
  lastObservedAt: z.string(),
})

const Names = z.array(z.string().regex(/^[a-z]{1,40}$/i)).max(40)

const StoredCreative = z.object({
  position: z.int().min(1),
  facts: z.looseObject({ body: z.unknown().optional(), unreadable: Names.optional() }),
  firstObservedAt: z.string(),
  lastObservedAt: z.string(),
})

const Links = z.array(
  z.object({
    app: z.object({ storeId: z.string() }),
    grounds: z.array(
      z.object({
        kind: z.string(),
        foundIn: z.string(),
        text: z.string(),
        evidence: z.int().min(0).nullable(),
      }),
    ),
  }),
)

/** An ad of one of our exports; computed fields, decisions and marks of accounts are not read. */
const ExportedAd = z.object({
  platform: z.enum(adPlatforms),
  advertiser: z.object({ advertiserId: AdvertiserId, ...factsNamed(adFieldsOf.advertiser) }),
  ...factsNamed(adLevelFieldsWithoutAdvertiser),
  creatives: z.array(ShownCreative),
  observations: z.array(Observation),
  firstObservedAt: z.string(),
  lastObservedAt: z.string(),
  links: Links,
  unshown: z
    .object({
      advertiserIdObservedAt: z.string().optional(),
      unreadable: Names.optional(),
      creatives: z.array(StoredCreative),
    })
    .optional(),
  evidence: z.array(ExportedEvidence.element.extend({ broughtBy: z.object({}).optional() })),
})
type ExportedAd = z.output<typeof ExportedAd>

/** Whether a record is an ad exported by Rivalscope. */
export const isExportedAd = (record: unknown): record is Record<string, unknown> =>
  isRecord(record) && 'platform' in record && 'archiveId' in record && isExported(record)

/** The facts of one observation, by their names in replies. */
const StatedFields = z.object({
  ...(Object.fromEntries(adLevelFields.map((field) => [adReplyName(field), schemaOf(field)])) as Record<
    AdReplyName<AdLevelField>,
    z.ZodType
  >),
  detectedLanguage: Texts,
})

/** A time at which the ad was observed, with the facts from that time. */
interface Moment {
  stated: Record<string, unknown>
  /** Conflicting facts of another record of the same time. */
  otherwise?: Record<string, unknown>
  creatives: { position: number; facts: SeenCreative }[]
}

/**
 * The observations of an exported ad, oldest first, each with its facts. User-provided evidence is left out, since a file
 * counts as a source; so an ad that no source showed has none.
 * @throws AdRefusal
 */
export function observationsOf(record: Record<string, unknown>): {
  ads: AdSighting[]
  hasUserProvided: boolean
} {
  const ad = fitting(ExportedAd, record)
  const archiveId = archiveIdOf(record.archiveId, 'archiveId', ad.platform)
  const moments = momentsOf(ad)
  const ads = [...moments]
    .flatMap(([time, { otherwise, ...moment }]) => [
      sightingOf(ad, archiveId, time, moment),
      ...(otherwise ? [sightingOf(ad, archiveId, time, { stated: otherwise, creatives: [] })] : []),
    ])
    .sort((one, other) => Number(one.observedAt) - Number(other.observedAt))
  return { ads: withAttributions(ad, ads), hasUserProvided: ad.evidence.some(isUserProvided) }
}

const isUserProvided = (entry: ExportedAd['evidence'][number]) => entry.broughtBy !== undefined

function momentsOf(ad: ExportedAd): Map<string, Moment> {
  const { evidence, unshown, firstObservedAt, lastObservedAt } = ad
  const moments = new Map<string, Moment>()
  // User-provided facts are not read.
  const brought = new Set(evidence.filter(isUserProvided).map(({ observedAt }) => observedAt))
  for (const entry of evidence)
    if (!isUserProvided(entry) && entry.source !== 'derived') brought.delete(entry.observedAt)
  const at = (time: string): Moment => {
    const known = moments.get(time)
    if (known) return known
    const made: Moment = { stated: {}, creatives: [] }
    if (!brought.has(time)) moments.set(time, made)
    return made
  }
  for (const time of [firstObservedAt, lastObservedAt]) at(time)
  for (const [name, fact] of factsOf(ad)) {
    const stated = statedBy(fact, evidence)
    const entry = fact?.evidence === undefined ? undefined : evidence[fact.evidence]
    if (stated && !(entry && isUserProvided(entry)))
      at(stated.observedAt ?? lastObservedAt).stated[name] = stated.value
  }
  for (const observation of ad.observations)
    for (const name of observedAdFields.map(adReplyName)) {
      const stated = statedBy(observation[name], evidence)
      const moment = at(observation.observedAt)
      if (stated && name in moment.stated && moment.stated[name] !== stated.value)
        moment.otherwise = { ...moment.otherwise, [name]: stated.value }
      else if (stated) moment.stated[name] = stated.value
    }
  const recognised = recognisedIn(ad)
  if (recognised) at(recognised.observedAt).stated.detectedLanguage = recognised.language
  for (const { position, facts, times } of unshown ? storedStates(unshown) : shownStates(ad))
    for (const time of new Set(times)) at(time).creatives.push({ position, facts })
  return moments
}

const factsOf = (ad: ExportedAd): [string, ExportedFact][] => [
  ...adFieldsOf.advertiser.map(adReplyName).map((name): [string, ExportedFact] => [name, ad.advertiser[name]]),
  ...adLevelFieldsWithoutAdvertiser.map(adReplyName).map((name): [string, ExportedFact] => [name, ad[name]]),
]

/** Its language as detected by the exporting installation; null where the texts were too short. */
function recognisedIn({ language, evidence, lastObservedAt }: ExportedAd) {
  const entry = language?.evidence === undefined ? undefined : evidence[language.evidence]
  if (entry?.source === 'derived' && !isUserProvided(entry))
    return { language: language?.value, observedAt: entry.observedAt }
  return language?.reason === 'too-little-evidence' ? { language: null, observedAt: lastObservedAt } : undefined
}

function sightingOf(
  ad: ExportedAd,
  archiveId: string,
  time: string,
  { stated, creatives }: Moment,
): AdSighting {
  const { platform, advertiser, unshown, lastObservedAt } = ad
  const fields = fitting(StatedFields, stated)
  const observedAt = timeOf(time)
  if (!observedAt) throw new AdRefusal('impossible-date', `observedAt is "${time}".`)
  const ordered = creatives.sort((one, other) => one.position - other.position)
  // Advertisers are listed under the names given with their id.
  const isNamed =
    time <= (unshown?.advertiserIdObservedAt ?? lastObservedAt) || adReplyName('advertiserName') in stated
  const read = asSighting({
    platform,
    archiveId,
    advertiserId: isNamed ? advertiserIdOf(platform, advertiser.advertiserId) : null,
    observedAt,
    stated: carried({
      ...valuesIn(adLevelFields, fields, adReplyName),
      detectedLanguage: languageIn(fields.detectedLanguage),
    }),
    creatives: ordered.map(({ facts }) => facts),
    elsewhere: { positions: ordered.map(({ position }) => position), attributions: [] },
  })
  return time === lastObservedAt ? withUnreadable(read, unshown?.unreadable as AdSighting['unreadable']) : read
}

interface CreativeState {
  position: number
  facts: SeenCreative
  /** The known times at which the creative was shown. */
  times: string[]
}

function storedStates({ creatives }: NonNullable<ExportedAd['unshown']>): CreativeState[] {
  return creatives.map(({ position, facts, firstObservedAt, lastObservedAt }) => ({
    position,
    facts: {
      ...creativeAsStated(fitting(Creative, { ...facts, text: facts.body })),
      ...(facts.unreadable ? { unreadable: facts.unreadable as (keyof CreativeFields)[] } : {}),
    },
    times: [firstObservedAt, lastObservedAt],
  }))
}

function shownStates({ creatives, evidence }: ExportedAd): CreativeState[] {
  return creatives.flatMap(({ position, media, mediaStatus, firstObservedAt, lastObservedAt, ...facts }) => {
    const fields = adFieldsOf.creative.map((field) => ({ field, fact: facts[adReplyName(field)] }))
    const places = fields.flatMap(({ fact }) => fact?.evidence ?? [])
    if (places.some((place) => evidence[place] && isUserProvided(evidence[place]))) return []
    const stated = fields.flatMap(({ field, fact }) => {
      const said = statedBy(fact, evidence)
      return said ? [[adOwnFormatName(field), said.value]] : []
    })
    const shown = media.map(({ kind, sourceUrl, width, height, durationSeconds }) => ({
      ...{ kind, url: sourceUrl, width: width?.value, height: height?.value },
      durationSeconds: durationSeconds?.value,
    }))
    const isTold = shown.length > 0 || mediaStatus.status === 'text-only'
    const creative = { ...Object.fromEntries(stated), ...(isTold ? { media: shown } : {}) }
    return [
      {
        position,
        facts: creativeAsStated(fitting(Creative, creative)),
        times: [firstObservedAt, lastObservedAt],
      },
    ]
  })
}

/**
 * Assigns each attribution to the observation that first showed it, with its text at that time, which the creative may no
 * longer have. Attributions found in the creatives themselves, and named by no link, stay with them.
 */
function withAttributions({ links, evidence }: ExportedAd, ads: readonly AdSighting[]): AdSighting[] {
  const stated = links.flatMap(({ app, grounds }) =>
    grounds.flatMap(({ kind, text, evidence: place }) => {
      const entry = place === null ? undefined : evidence[place]
      if (!entry || isUserProvided(entry)) return []
      const found = attributionsInAd(
        kind === 'named-app'
          ? { creatives: [], appId: text }
          : { creatives: [kind === 'landing-url' ? { linkUrl: text } : { body: text }] },
      )
      const attribution = found.find(
        (one) => one.storeId === app.storeId && one.kind === kind && one.text === text,
      )
      return attribution ? [{ attribution, at: Date.parse(entry.observedAt) }] : []
    }),
  )
  const nameOf = ({ storeId, kind, foundIn }: Attribution) => `${storeId} ${kind} ${foundIn}`
  const named = new Set(stated.map(({ attribution }) => nameOf(attribution)))
  return ads.map((ad) => ({
    ...ad,
    elsewhere: {
      positions: ad.elsewhere?.positions ?? [],
      attributions: [
        ...attributionsInAd(ad).filter((attribution) => !named.has(nameOf(attribution))),
        ...stated.filter(({ at }) => at === ad.observedAt?.getTime()).map(({ attribution }) => attribution),
      ],
    },
  }))
}
