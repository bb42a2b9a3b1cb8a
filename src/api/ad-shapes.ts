import type { z } from 'zod'
import type { KeptCopy } from '../contract/shapes/creatives.ts'
import type { AdCreative, AdFactsOf, AdObservation, PaidAd } from '../contract/shapes/paid-ads.ts'
import { adAnalysis, adTranscript, analysisSubject } from '../domain/ad-analysis/ask.ts'
import { storedCreatives } from '../domain/creatives/stored-creatives.ts'
import { evidenceIndexOf } from '../domain/evidence/reading.ts'
import { factOf, fieldFact, notMeasured, whyNotMeasured } from '../domain/facts/fact.ts'
import { evidenceOfField } from '../domain/facts/merge.ts'
import { mediaIdsOf } from '../domain/media/media-id.ts'
import type { AdFacts, SeenCreative } from '../domain/paid-ads/ad.ts'
import { daysRunning, deliveryDaysFormula } from '../domain/paid-ads/ad.ts'
import { deliveryIn } from '../domain/paid-ads/by-country.ts'
import { storedObservationValue } from '../domain/paid-ads/observed-values.ts'
import {
  type AdRow,
  adDisplayQueries,
  type CreativeRow,
  creativesOfAds,
  type ObservationRow,
  type StoredAd,
  shownCreatives,
} from '../domain/paid-ads/shown-ads.ts'
import { newestWorks } from '../domain/work/queries.ts'
import { isUnderWay } from '../domain/work/work.ts'
import type { Database } from '../storage/database.ts'
import { withPreparedStatements } from '../storage/prepared.ts'
import {
  type AdField,
  type AdLevelField,
  adFieldsOf,
  adReplyName,
  observedAdFields,
} from '../vocabulary/ad-fields.ts'
import { adLibraryRow } from '../vocabulary/ad-platforms.ts'
import type { Fact, NotMeasuredReason } from '../vocabulary/facts.ts'
import type { WorkState } from '../vocabulary/work-states.ts'
import { labelsOfLinkedApps, linkShapes } from './creative-links.ts'
import {
  archivedCopyShapes,
  creativeEvidence,
  creativeMedia,
  languageFact,
  savedMark,
  withAllEvidence,
} from './creative-shapes.ts'

type Shape = z.output<typeof PaidAd>

const observationsInLists = 5

/**
 * Ads as an account sees them, in the given order; unknown numbers are left out. Takes the same few queries for one and for
 * a hundred.
 * @param observations maximum shown of each
 */
export async function adShapes(
  db: Database,
  accountId: string,
  adNumbers: readonly string[],
  observations = observationsInLists,
): Promise<Shape[]> {
  const ads = await adsToShape(db, accountId, adNumbers, observations)
  return ads.map((stored) => adShape(stored, accountId))
}

/** Stored fields of an ad that no reply shows, for exports: each of its creatives as it is stored. */
export interface ExportOnlyAdFields {
  /** When a source last stated the advertiser's id. */
  advertiserIdObservedAt?: string
  /** Fields that an observation has and this version cannot parse. */
  unreadable?: readonly (keyof AdFacts)[]
  creatives: {
    position: number
    facts: SeenCreative
    firstObservedAt: string
    lastObservedAt: string
  }[]
}

/** Ads in the form of `adShapes`, with all their observations and their unshown fields. */
export async function adsForExport(
  db: Database,
  accountId: string,
  adNumbers: readonly string[],
): Promise<(Shape & { unshown: ExportOnlyAdFields })[]> {
  const ads = await adsToShape(db, accountId, adNumbers, null)
  return ads.map((stored) => ({ ...adShape(stored, accountId), unshown: unshownOf(stored) }))
}

function unshownOf({ item: ad, creatives }: AdToShape): ExportOnlyAdFields {
  const named = evidenceOfField<AdFacts>(ad, 'advertiserId')
  return {
    ...(named && !named.broughtBy ? { advertiserIdObservedAt: named.observedAt } : {}),
    ...(ad.unreadable ? { unreadable: ad.unreadable } : {}),
    creatives: creatives
      .filter(({ brought }) => !brought)
      .map(({ position, facts, firstObservedAt, lastObservedAt }) => ({
        position,
        facts,
        firstObservedAt: firstObservedAt.toISOString(),
        lastObservedAt: lastObservedAt.toISOString(),
      })),
  }
}

/** A stored ad, with data from other tables. */
interface AdToShape extends StoredAd {
  creatives: readonly CreativeWithMedia[]
  labels: Awaited<ReturnType<typeof labelsOfLinkedApps>>
  kept: Awaited<ReturnType<typeof archivedCopyShapes>>
  transcript: WorkState | undefined
  analysis: WorkState | undefined
}

/** With the ids of its media: each takes a hash. */
type CreativeWithMedia = CreativeRow & { mediaIds: string[] }

async function adsToShape(
  store: Database,
  accountId: string,
  adNumbers: readonly string[],
  observations: number | null,
): Promise<AdToShape[]> {
  if (adNumbers.length === 0) return []
  const db = withPreparedStatements(store)
  const [ads, stored] = await Promise.all([
    storedCreatives(db, adDisplayQueries, accountId, adNumbers, observations),
    creativesOfAds(db, adNumbers),
  ])
  const creatives = stored.map((row) => ({ ...row, mediaIds: mediaIdsOf(row, row.facts.media) }))
  const subjects = ads.map(({ item }) => analysisSubject(item))
  const [labels, kept, works] = await Promise.all([
    labelsOfLinkedApps(
      db,
      ads.flatMap(({ attributions }) => attributions.map(({ storeId }) => storeId)),
    ),
    archivedCopyShapes(
      db,
      accountId,
      creatives.flatMap(({ mediaIds }) => mediaIds),
    ),
    newestWorks(db, [adTranscript.name, adAnalysis.name], subjects),
  ])
  const creativesOf = Map.groupBy(creatives, (row) => row.adNumber)
  const stateOf = (kind: string, ad: AdRow) =>
    works.find((work) => work.kind === kind && work.subject === analysisSubject(ad))?.status
  return ads.map((stored) => ({
    ...stored,
    creatives: creativesOf.get(stored.item.number) ?? [],
    labels,
    kept,
    transcript: stateOf(adTranscript.name, stored.item),
    analysis: stateOf(adAnalysis.name, stored.item),
  }))
}

function adShape(stored: AdToShape, accountId: string): Shape {
  const { item: ad, observations, creatives, attributions, labels, kept } = stored
  const known = withAllEvidence<AdFacts>(ad, [
    ...observations,
    ...creatives.map((row) => ({ ...row, observedAt: row.lastObservedAt })),
    ...attributions.flatMap((row) => (row.readingId === null ? [] : [{ ...row, observedAt: row.recordedAt }])),
  ])
  const facts = <Field extends AdLevelField>(fields: readonly Field[]) =>
    factsOf(fields, (field) => (field === 'language' ? languageFact(known) : fieldFact(known, field)))
  return {
    platform: ad.platform,
    archiveId: ad.archiveId,
    libraryUrl: libraryUrl(ad, known.facts.advertiserId ?? null),
    advertiser: { advertiserId: known.facts.advertiserId ?? null, ...facts(adFieldsOf.advertiser) },
    ...facts(adFieldsOf.content),
    ...facts(adFieldsOf.delivery),
    daysRunning: daysShape(ad),
    ...facts(adFieldsOf.audience),
    creatives: shownCreatives(creatives).map((row) =>
      creativeShape(row, evidenceIndexOf(known.evidence, row, row.seenAt), kept),
    ),
    observationCount: ad.observationCount,
    firstObservedAt: ad.firstObservedAt.toISOString(),
    lastObservedAt: ad.lastObservedAt.toISOString(),
    observations: observations.map((row) =>
      observationShape(ad, row, evidenceIndexOf(known.evidence, row, row.observedAt)),
    ),
    links: linkShapes(
      attributions,
      labels,
      (row) => evidenceIndexOf(known.evidence, row, row.recordedAt),
      accountId,
    ),
    transcriptState: transcriptState(ad, stored.transcript),
    analysisState: analysisState(ad, stored.analysis),
    saved: savedMark(ad),
    evidence: creativeEvidence(known, accountId),
  }
}

/** Fields as facts, by their names in replies. */
function factsOf<Field extends AdField>(
  fields: readonly Field[],
  factOfField: (field: Field) => Fact<unknown, NotMeasuredReason>,
): AdFactsOf<Field> {
  // Assigned one by one: a list of pairs takes longer than the facts.
  const named: Record<string, unknown> = {}
  for (const field of fields) named[adReplyName(field)] = factOfField(field)
  return named as AdFactsOf<Field>
}

/** The public page of an ad in its library. */
function libraryUrl(
  { platform, archiveId }: Pick<AdRow, 'platform' | 'archiveId'>,
  advertiserId: string | null,
): string {
  const { address, addressOfAny } = adLibraryRow(platform)
  if (addressOfAny && advertiserId === null) return addressOfAny
  return address.replace('{id}', archiveId).replace('{advertiserId}', advertiserId ?? '')
}

function daysShape({ facts, lastObservedAt }: AdRow): Shape['daysRunning'] {
  const delivery = deliveryIn(facts)
  const days = daysRunning({ ...delivery, lastObservedAt })
  if (days !== null) return { state: 'measured', ...days, formula: deliveryDaysFormula }
  return notMeasured(delivery.startedOn === null ? 'not-carried' : 'too-little-evidence')
}

function observationShape(ad: AdRow, row: ObservationRow, evidence: number): z.output<typeof AdObservation> {
  return {
    observedAt: row.observedAt.toISOString(),
    ...factsOf(observedAdFields, (field) =>
      factOf(storedObservationValue(row, field), evidence, whyNotMeasured(ad, field)),
    ),
  }
}

function transcriptState({ transcriptOutcome }: AdRow, work: WorkState | undefined): Shape['transcriptState'] {
  if (transcriptOutcome === 'available') return 'available'
  if (isUnderWay(work)) return 'under-way'
  return work === 'failed' ? 'failed' : (transcriptOutcome ?? 'not-requested')
}

function analysisState({ analysed }: AdRow, work: WorkState | undefined): Shape['analysisState'] {
  if (analysed) return 'available'
  if (isUnderWay(work)) return 'under-way'
  return work === 'failed' ? 'failed' : 'not-requested'
}

/** One card or variant of an ad. @param evidence index of the evidence that states it */
function creativeShape(
  row: CreativeWithMedia & { current: boolean },
  evidence: number,
  kept: ReadonlyMap<string, z.output<typeof KeptCopy>>,
): z.output<typeof AdCreative> {
  const { creativeId, position, facts, mediaIds, current, firstObservedAt, lastObservedAt } = row
  return {
    creativeId,
    position,
    ...factsOf(adFieldsOf.creative, (field) => factOf(facts[field], evidence, whyNotMeasured(facts, field))),
    ...creativeMedia(mediaIds, factOf(facts.media, evidence, whyNotMeasured(facts, 'media')), kept),
    current,
    firstObservedAt: firstObservedAt.toISOString(),
    lastObservedAt: lastObservedAt.toISOString(),
  }
}
