import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
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

/** A record and its position, such as `line 3`. */
export interface AdRow {
  position: string
  record: unknown
}

/** How one form of record is recognised and parsed. */
export interface AdForm {
  /** What it is called, and whose ads it has. Left out for forms that are only refused. */
  label?: string
  platform?: AdPlatform
  /** Fields of which one names the ad, and others that only this form has: a record with these alone is told by its name. */
  ids?: readonly string[]
  fields?: readonly string[]
  /** Records of the rows of a table, where several can be about one ad. */
  joined?(rows: readonly AdRow[]): AdRow[]
  is(record: Record<string, unknown>): boolean
  /** @throws AdRefusal */
  read(record: Record<string, unknown>): AdDraft
}
