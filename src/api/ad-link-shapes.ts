import type { z } from 'zod'
import type { CreativeLink } from '../contract/shapes/creatives.ts'
import { groundStrength } from '../domain/creatives/grounds.ts'
import type { LinkGroundRow } from '../domain/paid-ads/link-queries.ts'
import { appLabel } from './listing-facts.ts'

type Shape = z.output<typeof CreativeLink>

/** The apps an ad belongs to, oldest link first, each with its grounds, strongest first. */
export function adLinkShapes(
  grounds: readonly LinkGroundRow[],
  labels: ReadonlyMap<string, Shape['app']>,
  placeOf: (row: LinkGroundRow) => number,
): Shape[] {
  const links = [...Map.groupBy(grounds, (ground) => ground.storeId)].map(([storeId, found]) => ({
    app: labels.get(storeId) ?? appLabel(storeId, undefined),
    grounds: found.toSorted(byStrength).map((ground) => ({
      kind: ground.kind,
      text: ground.text,
      foundIn: ground.foundIn,
      evidence: ground.readingId === null ? null : placeOf(ground),
    })),
    linkedAt: new Date(Math.min(...found.map(({ recordedAt }) => recordedAt.getTime()))).toISOString(),
  }))
  return links.sort((one, other) => {
    const [first, second] = [`${one.linkedAt} ${one.app.storeId}`, `${other.linkedAt} ${other.app.storeId}`]
    return first < second ? -1 : 1
  })
}

function byStrength(one: LinkGroundRow, other: LinkGroundRow): number {
  const strength = groundStrength.indexOf(one.kind) - groundStrength.indexOf(other.kind)
  return strength !== 0 ? strength : one.foundIn < other.foundIn ? -1 : 1
}
