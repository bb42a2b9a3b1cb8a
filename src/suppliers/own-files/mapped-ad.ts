import { tidy } from '../../ingest/ads/ad-values.ts'
import { holdsSeveral, mappedValues, nameSeparator } from '../../ingest/mapping/mapped-values.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import { onlyTextOf, textsOf } from '../../ingest/mapping/written-forms.ts'
import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import {
  type AdField,
  adFieldRow,
  adFieldsOf,
  adLevelFieldsWithoutAdvertiser,
  adOwnFormatName,
} from '../../vocabulary/ad-fields.ts'

/**
 * A row of a table as a record in our own format; unmapped fields are not carried.
 * @param held values that hold for every row
 * @throws UnfitPayload
 */
export function mappedAdRecord(
  row: unknown,
  context: ReadingContext,
  held: Record<string, string>,
): Record<string, unknown> {
  const values = mappedValues('paid-ads', row, context.fields ?? {}, context, held)
  const text = (field: string) =>
    values.has(field) ? tidy(onlyTextOf(field, values.get(field)) ?? '') || null : undefined
  const list = (field: string) => {
    const value = values.get(field)
    if (value === undefined) return undefined
    return Array.isArray(value) ? value : shown(value ?? '').split(/[;|]/)
  }
  const mapped = (field: AdField): unknown => {
    switch (adFieldRow(field).kind) {
      case 'names':
      case 'language':
      case 'countries':
      case 'publishers':
      case 'codes':
        return list(field)
      case 'flag':
        return flagIn(field, text(field))
      case 'format':
        return text(field)?.toLowerCase()
      default:
        return text(field)
    }
  }
  const part = (fields: readonly AdField[]) =>
    Object.fromEntries(fields.map((field) => [adOwnFormatName(field), mapped(field)]))
  const media = mediaIn(values)
  return {
    platform: text('platform')?.toLowerCase(),
    archiveId: values.get('archiveId'),
    advertiser: { id: text('advertiserId'), ...part(adFieldsOf.advertiser) },
    creatives: variantsIn(values).map((variant) => ({
      ...variant,
      ...part(adFieldsOf.creative.filter((field) => !variantFields.includes(field))),
      ...(media ? { media } : {}),
    })),
    ...part(adLevelFieldsWithoutAdvertiser),
    observedAt: text('observedAt'),
  }
}

const variantFields = adFieldsOf.creative.filter((field) => adFieldRow(field).listsVariants)

/** Texts with variants, one entry per variant of the ad; a single entry holds for all variants. */
function variantsIn(values: ReadonlyMap<string, unknown>): Record<string, string | null | undefined>[] {
  const lists = variantFields.map((field) => ({
    part: adOwnFormatName(field),
    texts: values.has(field) ? (textsOf(field, values.get(field)) ?? []) : undefined,
  }))
  const variants = Math.max(1, ...lists.map(({ texts }) => texts?.length ?? 0))
  return Array.from({ length: variants }, (_, at) =>
    Object.fromEntries(
      lists.map(({ part, texts }) => [
        part,
        texts && (tidy((texts.length === 1 ? texts[0] : texts[at]) ?? '') || null),
      ]),
    ),
  )
}

function mediaIn(values: ReadonlyMap<string, unknown>): object[] | undefined {
  const addresses = (field: string, kind: string) => {
    const value = values.get(field)
    const parts = Array.isArray(value) ? value.map(shown) : shown(value ?? '').split(/[\s|]+/)
    const several = parts.find(holdsSeveral)
    if (several !== undefined)
      throw new UnfitPayload(
        `${field}: "${several.slice(0, 100)}" holds several addresses; ${nameSeparator(field)}`,
      )
    return parts.filter((part) => part.trim() !== '').map((url) => ({ kind, url: url.trim() }))
  }
  if (!values.has('videoUrls') && !values.has('imageUrls')) return undefined
  return [...addresses('videoUrls', 'video'), ...addresses('imageUrls', 'image')]
}

/** A boolean; undefined for an empty value. @throws UnfitPayload for other texts */
function flagIn(field: string, value: string | null | undefined): boolean | undefined {
  const said = value?.toLowerCase() ?? ''
  if (said === '') return undefined
  if (['true', 'yes', '1', 'active', 't', 'y'].includes(said)) return true
  if (['false', 'no', '0', 'inactive', 'f', 'n'].includes(said)) return false
  throw new UnfitPayload(`${field}: "${said.slice(0, 100)}" says neither yes nor no`)
}
