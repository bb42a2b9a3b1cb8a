import type { z } from 'zod'
import type { KeptCopy } from '../contract/shapes/creatives.ts'
import type { AdCreative } from '../contract/shapes/paid-ads.ts'
import { factOf, whyNotMeasured } from '../domain/facts/fact.ts'
import type { CreativeFields } from '../domain/paid-ads/ad.ts'
import type { CreativeRow } from '../domain/paid-ads/shown-ads.ts'
import { creativeMedia } from './creative-media.ts'

/** One card or variant of an ad. @param evidence index of the evidence that states it */
export function creativeShape(
  row: CreativeRow & { current: boolean },
  evidence: number,
  kept: ReadonlyMap<string, z.output<typeof KeptCopy>>,
): z.output<typeof AdCreative> {
  const { creativeId, position, facts, current, firstObservedAt, lastObservedAt } = row
  const fact = <F extends keyof CreativeFields>(field: F) =>
    factOf(facts[field], evidence, whyNotMeasured(facts, field))
  return {
    creativeId,
    position,
    title: fact('title'),
    body: fact('body'),
    description: fact('description'),
    displayLink: fact('displayLink'),
    linkUrl: fact('linkUrl'),
    callToAction: fact('callToAction'),
    callToActionText: fact('callToActionText'),
    ...creativeMedia({ creativeId }, fact('media'), kept),
    current,
    firstObservedAt: firstObservedAt.toISOString(),
    lastObservedAt: lastObservedAt.toISOString(),
  }
}
