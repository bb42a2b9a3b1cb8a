import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import { carried, type Unreadable } from '../unreadable.ts'

/** An ad as a form of records is read, each part with the names of what cannot be read. */
export interface AdDraft extends Omit<AdSighting, 'advertiserId' | 'stated' | 'delivery' | 'unreadable'> {
  advertiserId: string | null | Unreadable
  stated: AdSighting['stated'] & Part
  delivery: AdSighting['delivery'] & Part
}

type Part = Pick<AdSighting, 'unreadable'>

export function asSighting({ advertiserId, stated, delivery, ...ad }: AdDraft): AdSighting {
  const { unreadable: names = [], ...fields } = stated
  const { unreadable: changing = [], ...changes } = delivery
  const named = carried({ advertiserId })
  const unreadable = [...(named.unreadable ?? []), ...names, ...changing]
  return {
    ...ad,
    advertiserId: named.advertiserId ?? null,
    stated: fields,
    delivery: changes,
    ...(unreadable.length > 0 ? { unreadable } : {}),
  }
}

/** How one form of record is recognised and parsed. */
export interface AdForm {
  is(record: Record<string, unknown>): boolean
  /** @throws AdRefusal */
  read(record: Record<string, unknown>): AdDraft
}
