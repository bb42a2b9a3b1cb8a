import type { z } from 'zod'
import type { CreativeLink } from '../contract/shapes/creatives.ts'
import { labelsOfApps } from '../domain/catalogue/app.ts'
import { attributionStrength } from '../domain/creatives/attributions.ts'
import type { ProvidedBy } from '../domain/evidence/reading.ts'
import type { Database } from '../storage/database.ts'
import { providedByShape } from './evidence.ts'
import { appLabel } from './listing-facts.ts'

type Shape = z.output<typeof CreativeLink>

/** Preferred storefront for names of linked apps: posts and ads have no storefront. */
export const preferredNameStorefront = 'us'

/** Labels of the apps that creatives are linked to, by store id; every id has one. */
export async function labelsOfLinkedApps(
  db: Database,
  storeIds: readonly string[],
): Promise<Map<string, Shape['app']>> {
  const asked = [...new Set(storeIds)]
  const found = asked.length === 0 ? [] : await labelsOfApps(db, asked, preferredNameStorefront)
  const rows = new Map(found.map((row) => [row.storeId, row]))
  return new Map(asked.map((storeId) => [storeId, appLabel(storeId, rows.get(storeId))]))
}

/** A stored attribution: a reason why the creative belongs to an app. */
interface StoredAttribution extends Pick<Shape['grounds'][number], 'kind' | 'foundIn' | 'text'> {
  storeId: string
  /** Null for a decision made here. */
  readingId: string | null
  recordedAt: Date
  /** When the operator decided it; undefined for other attributions. */
  decidedAt?: Date | null
  /** The account that made the decision, or that imported the reading. */
  broughtBy?: ProvidedBy | null
}

/** The apps a post or an ad belongs to, oldest link first, each with its attributions, strongest first. */
export function linkShapes<Row extends StoredAttribution>(
  attributions: readonly Row[],
  labels: ReadonlyMap<string, Shape['app']>,
  placeOf: (row: Row) => number,
  accountId?: string,
): Shape[] {
  const links = [...Map.groupBy(attributions, (attribution) => attribution.storeId)].map(
    ([storeId, found]) => ({
      app: labels.get(storeId) ?? appLabel(storeId, undefined),
      grounds: found.toSorted(byStrength).map((attribution) => ({
        kind: attribution.kind,
        text: attribution.text,
        foundIn: attribution.foundIn,
        evidence: attribution.readingId === null ? null : placeOf(attribution),
        ...(attribution.decidedAt ? { decidedAt: attribution.decidedAt.toISOString() } : {}),
        ...(attribution.broughtBy ? { broughtBy: providedByShape(attribution.broughtBy, accountId) } : {}),
      })),
      linkedAt: new Date(Math.min(...found.map(({ recordedAt }) => recordedAt.getTime()))).toISOString(),
    }),
  )
  return links.sort((one, other) => {
    const [first, second] = [`${one.linkedAt} ${one.app.storeId}`, `${other.linkedAt} ${other.app.storeId}`]
    return first < second ? -1 : 1
  })
}

function byStrength(one: StoredAttribution, other: StoredAttribution): number {
  const strength = attributionStrength.indexOf(one.kind) - attributionStrength.indexOf(other.kind)
  if (strength !== 0) return strength
  const [first, second] = [`${one.foundIn} ${one.text}`, `${other.foundIn} ${other.text}`]
  return first < second ? -1 : 1
}
