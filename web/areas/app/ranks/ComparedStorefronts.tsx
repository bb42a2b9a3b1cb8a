import { countryName } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { storefronts } from '../../../evidence/storefronts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/fields.tsx'
import { X } from '../../../ui/icons.ts'
import { mostStorefronts } from '../ranks-search.ts'

/** The storefronts that are compared, to be taken away and added. */
export function ComparedStorefronts({
  countries,
  alsoIn,
  onChange,
}: {
  countries: readonly Country[]
  alsoIn: readonly Country[]
  onChange: (countries: Country[]) => void
}) {
  const suggested = alsoIn.filter((code) => !countries.includes(code)).slice(0, 4)
  const isFull = countries.length >= mostStorefronts
  return (
    <div className="row gap-3 rows-2" data-screen-only>
      <ul className="row" aria-label="Storefronts compared">
        {countries.map((code) => (
          <li key={code}>
            <Button
              small
              isDisabled={countries.length === 1}
              aria-label={`Remove ${countryName(code)}`}
              onPress={() => onChange(countries.filter((one) => one !== code))}
            >
              {countryName(code)}
              {countries.length > 1 && <X size={13} aria-hidden="true" />}
            </Button>
          </li>
        ))}
        {!isFull &&
          suggested.map((code) => (
            <li key={code}>
              <Button small look="bare" onPress={() => onChange([...countries, code])}>
                + {countryName(code)}
              </Button>
            </li>
          ))}
      </ul>
      {isFull ? (
        <span className="quiet">At most {mostStorefronts} storefronts</span>
      ) : (
        <div style={{ width: 190 }}>
          <Choice
            key={countries.join()}
            label="Add a storefront"
            labelHidden
            placeholder="Add a storefront…"
            options={storefronts
              .filter(({ code }) => !countries.includes(code))
              .map(({ code, name }) => ({ id: code, name }))}
            value={null}
            onChange={(code) => onChange([...countries, code])}
          />
        </div>
      )}
    </div>
  )
}
