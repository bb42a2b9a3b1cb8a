import type { LocalizationCode } from '../../../../src/vocabulary/storefronts.ts'
import type { PlanLocalization, PlannedField, PlannedTexts } from '../../../api/listing-drafts.ts'
import { fieldInWords, plannedFields } from './listing-text.ts'

/** The texts that a plan changes, a localization after the other, for whoever types them into App Store Connect. */
export const planAsText = (
  name: string,
  texts: PlannedTexts,
  localizations: readonly PlanLocalization[],
): string =>
  [
    name,
    ...localizations.flatMap(({ localization, name: language }) => {
      const planned = texts[localization]
      const lines = plannedFields.flatMap((field) =>
        planned?.[field] === undefined ? [] : [`${fieldInWords[field]}: ${planned[field]}`],
      )
      return lines.length > 0 ? [['', `${language} (${localization})`, ...lines].join('\n')] : []
    }),
  ].join('\n')

/** Texts with one of them planned; one that says what is there already is no edit. */
export function withText(
  texts: PlannedTexts,
  code: LocalizationCode,
  field: PlannedField,
  text: string,
  asIs: string | null,
): PlannedTexts {
  const { [field]: _, ...others } = texts[code] ?? {}
  const planned = text === (asIs ?? '') ? others : { ...others, [field]: text }
  const { [code]: __, ...rest } = texts
  return Object.keys(planned).length > 0 ? { ...rest, [code]: planned } : rest
}

/** Where two plans say something else, by localization and field; null where one leaves a text as it is. */
export const differencesOf = (one: PlannedTexts, other: PlannedTexts) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)] as LocalizationCode[])].flatMap((localization) =>
    plannedFields
      .map((field) => ({
        localization,
        field,
        one: one[localization]?.[field] ?? null,
        other: other[localization]?.[field] ?? null,
      }))
      .filter((texts) => texts.one !== texts.other),
  )
