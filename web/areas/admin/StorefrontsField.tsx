import type { Country } from '../../evidence/shapes.ts'
import { isCountry, storefronts } from '../../evidence/storefronts.ts'
import { TokensField } from '../../ui/TokensField.tsx'

const names = new Map(storefronts.map(({ code, name }) => [code, name]))
const codes = new Map(storefronts.map(({ code, name }) => [name.toLocaleLowerCase(), code]))

/** Any number of storefronts, by name or code. What is none is left out. */
export const StorefrontsField = ({
  values,
  onChange,
}: {
  values: readonly Country[]
  onChange: (countries: readonly Country[]) => void
}) => (
  <TokensField
    label="Storefronts"
    values={values.map((code) => names.get(code) ?? code)}
    onChange={(texts) => onChange([...new Set(texts.flatMap(countryIn))])}
    suggestions={storefronts.map(({ name }) => name)}
    most={storefronts.length}
  />
)

function countryIn(text: string): Country[] {
  const typed = text.trim().toLocaleLowerCase()
  const code = codes.get(typed)
  return code ? [code] : isCountry(typed) ? [typed] : []
}
