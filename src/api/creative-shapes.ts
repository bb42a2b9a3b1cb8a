import type { z } from 'zod'
import type { CreativeMedia, KeptCopy, KeptStatus, SavedMark } from '../contract/shapes/creatives.ts'
import { operatorId } from '../domain/accounts/keys.ts'
import type { StatedMedium } from '../domain/creatives/media.ts'
import type { KeyedReading } from '../domain/evidence/reading.ts'
import { evidenceList } from '../domain/evidence/reading.ts'
import { factOf, fieldFact, notMeasured, whyNotMeasured } from '../domain/facts/fact.ts'
import type { Known, StatedBy } from '../domain/facts/merge.ts'
import { type ArchivedRow, archivedRows } from '../domain/media/queries.ts'
import type { Database } from '../storage/database.ts'
import type { Fact } from '../vocabulary/facts.ts'
import { type EvidenceShape, evidenceShapes } from './evidence.ts'

/** A part of a creative that is based on a reading. */
type Resting = KeyedReading & { observedAt: Date }

/**
 * A post or an ad for display: its evidence lists the readings of its facts, and those that only other parts are based on.
 * @param observations parts based on a reading at one of its times
 * @param parts parts based on a reading at any of its times
 */
export function withAllEvidence<Fields extends LanguageFields>(
  stated: Known<Fields>,
  observations: readonly Resting[],
  parts: readonly Resting[] = [],
): Known<Fields> {
  const known = withDetection(stated)
  const timed = [...known.evidence, ...observations.map(bareEntry<keyof Fields & string>)]
  const shown = new Set(timed.map(({ readingId }) => readingId))
  const others = parts.filter(({ readingId }) => !shown.has(readingId))
  return { ...known, evidence: evidenceList([...timed, ...others.map(bareEntry<keyof Fields & string>)]) }
}

/** @param accountId who sees the reply */
export const creativeEvidence = <Fields>({ evidence }: Known<Fields>, accountId?: string): EvidenceShape[] =>
  evidenceShapes(evidence, null, accountId).map((entry) =>
    entry.source === 'derived' ? { ...entry, surface: 'Language detection' } : entry,
  )

function bareEntry<Field extends string>({
  readingId,
  key,
  source,
  origin,
  timeBasis,
  broughtBy,
  observedAt: at,
}: Resting): StatedBy<Field> {
  const entry = { readingId, key, source, origin, timeBasis, observedAt: at.toISOString(), fields: [] }
  return broughtBy ? { ...entry, broughtBy } : entry
}

/** The language of a creative: stated by its source, or detected in its texts. */
interface LanguageFields {
  language: string
  detectedLanguage: string
}

type LanguageFact = Fact<string, 'not-carried' | 'unreadable' | 'too-little-evidence'>

/**
 * The known fields, with an evidence entry for the detection where the language comes from it: a `derived` entry before the
 * reading of the text, with the time and id of that reading.
 */
function withDetection<Fields extends LanguageFields>(known: Known<Fields>): Known<Fields> {
  const { facts, evidence } = known
  if (isValue(facts.language) || !isValue(facts.detectedLanguage)) return known
  return {
    ...known,
    evidence: evidence.flatMap((entry) => {
      if (!entry.fields.includes('detectedLanguage')) return [entry]
      const others = entry.fields.filter((field) => field !== 'detectedLanguage')
      return [
        { ...entry, source: 'derived', fields: ['detectedLanguage'] },
        { ...entry, fields: others },
      ]
    }),
  }
}

/** The language if its source states a readable one, otherwise the detected one; not measured where the texts are too short. */
export function languageFact<Fields extends LanguageFields>(known: Known<Fields>): LanguageFact {
  const stated = fieldFact(known, 'language') as LanguageFact
  if (stated.state === 'measured') return stated
  const detected = fieldFact(known, 'detectedLanguage') as LanguageFact
  if (detected.state === 'measured') return detected
  const isUnreadable = stated.state === 'not-measured' && stated.reason === 'unreadable'
  return detected.state === 'absent' && !isUnreadable ? notMeasured('too-little-evidence') : stated
}

const isValue = (value: unknown) => value !== null && value !== undefined

const unreadableMedia = 'The source tells its media in a form that cannot be read.'

/**
 * The media of a post or of one creative of an ad, in order, with the state of their copies.
 * @param mediaIds the id of each
 * @param kept the copy of each, or why there is none, by media id
 */
export function creativeMedia(
  mediaIds: readonly string[],
  stated: Fact<readonly StatedMedium[], 'not-carried' | 'unreadable'>,
  kept: ReadonlyMap<string, z.output<typeof KeptCopy>>,
) {
  if (stated.state === 'not-measured' && stated.reason === 'unreadable')
    return { mediaStatus: { status: 'not-kept' as const, reason: unreadableMedia }, media: [] }
  if (stated.state !== 'measured')
    return { mediaStatus: mediaStatusOf(stated.state === 'absent' ? null : undefined, []), media: [] }
  const { value, evidence } = stated
  const media: z.output<typeof CreativeMedia>[] = value.map((medium, index) => {
    const mediaId = mediaIds[index] ?? ''
    return {
      mediaId,
      kind: medium.kind,
      position: index + 1,
      sourceUrl: medium.url,
      width: factOf(medium.width, evidence, whyNotMeasured(medium, 'width')),
      height: factOf(medium.height, evidence, whyNotMeasured(medium, 'height')),
      durationSeconds: factOf(medium.durationSeconds, evidence, whyNotMeasured(medium, 'durationSeconds')),
      kept: kept.get(mediaId) ?? { status: 'not-kept', reason: null, checkedAt: null },
    }
  })
  const copies = media.map((medium) => medium.kept)
  return { mediaStatus: mediaStatusOf(value, copies), media }
}

type Copy = z.output<typeof KeptCopy>
type Status = z.output<typeof KeptStatus>

const nobodyAsked = 'Media are copied once the post or ad is saved.'

/**
 * The copy of each of these media, or why there is none; one entry for every id.
 * @param accountId who sees the reply; requests of other accounts are not visible
 */
export async function archivedCopyShapes(
  db: Database,
  accountId: string,
  mediaIds: readonly string[],
): Promise<Map<string, Copy>> {
  const none: Copy = { status: 'not-kept', reason: nobodyAsked, checkedAt: null }
  const shapes = new Map<string, Copy>(mediaIds.map((mediaId) => [mediaId, none]))
  if (mediaIds.length === 0) return shapes
  const viewer = accountId === operatorId ? undefined : accountId
  for (const row of await archivedRows(db, mediaIds, viewer)) shapes.set(row.mediaId, copyOf(row))
  return shapes
}

/** The path at which archived content is served. */
const mediaAddress = (sha256: string) => `/media/${sha256}`

/** Explains that retention removed a copy, for accounts that have not saved its post or ad. */
const letGo = (at: Date) =>
  `A copy was kept until ${at.toISOString().slice(0, 10)}: this installation keeps media for a time only, once a post or ad is not seen any more. Saving it has it copied again, where its address still answers.`

function copyOf({ status, reason, checkedAt, releasedAt, ...content }: ArchivedRow): Copy {
  if (status !== 'stored') {
    const why = status === 'not-kept' && releasedAt ? (reason ?? letGo(releasedAt)) : reason
    return { status, reason: why, checkedAt: checkedAt?.toISOString() ?? null }
  }
  const { sha256, storedAt, contentType, sizeBytes } = content
  if (sha256 === null || storedAt === null || contentType === null || sizeBytes === null)
    throw new Error(`The stored copy ${content.mediaId} has no content.`)
  return {
    status,
    url: mediaAddress(sha256),
    contentType,
    sizeBytes,
    sha256,
    storedAt: storedAt.toISOString(),
  }
}

/** The first of these statuses that any copy has is the combined one; `stored` when none has. */
const worstFirst = ['failed', 'removed-upstream', 'pending', 'not-kept'] as const

/**
 * The combined status of all media of one creative.
 * @param stated media stated by the source: undefined where it does not carry them, null or empty where there are none
 * @param copies the copy of each of them
 */
export function mediaStatusOf(
  stated: readonly StatedMedium[] | null | undefined,
  copies: readonly Copy[],
): { status: Status; reason: string | null } {
  if (stated === undefined) return { status: 'not-kept', reason: 'The source does not tell what media it has.' }
  if (stated === null || stated.length === 0) return { status: 'text-only', reason: null }
  for (const status of worstFirst) {
    const first = copies.find((copy) => copy.status === status)
    if (first) return { status, reason: 'reason' in first ? first.reason : null }
  }
  return { status: 'stored', reason: null }
}

/** The account's own notes on a saved creative in the form of replies; null when it has not saved it. */
export function savedMark(row: {
  savedAt: Date | null
  note: string | null
  tags: string[] | null
}): z.output<typeof SavedMark> | null {
  if (row.savedAt === null) return null
  return { savedAt: row.savedAt.toISOString(), note: row.note, tags: row.tags ?? [] }
}
