import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import { carried, type Unreadable } from '../unreadable.ts'

/** An ad as a form of records is read, with the names of what cannot be read. */
export interface AdDraft extends Omit<AdSighting, 'advertiserId' | 'stated' | 'unreadable'> {
  advertiserId: string | null | Unreadable
  stated: AdSighting['stated'] & Pick<AdSighting, 'unreadable'>
}

export function asSighting({ advertiserId, stated, ...ad }: AdDraft): AdSighting {
  const { unreadable: names = [], ...fields } = stated
  const named = carried({ advertiserId })
  const unreadable = [...(named.unreadable ?? []), ...names]
  return {
    ...ad,
    advertiserId: named.advertiserId ?? null,
    stated: fields,
    ...(unreadable.length > 0 ? { unreadable } : {}),
  }
}

/** How one form of record is recognised and parsed. */
export interface AdForm {
  is(record: Record<string, unknown>): boolean
  /** @throws AdRefusal */
  read(record: Record<string, unknown>): AdDraft
}
