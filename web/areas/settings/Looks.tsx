import { lazy, Suspense, useState } from 'react'
import { useChooseCountry, useCountry, usualCountry } from '../../evidence/country.ts'
import { countryName } from '../../evidence/format.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../../shell/theme-choice.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/fields.tsx'
import { Panel } from '../../ui/parts.tsx'
import { type Segment, Segments } from '../../ui/Segments.tsx'

const Help = lazy(() => import('../../shell/Help.tsx'))

const themes: readonly Segment<ThemeChoice>[] = [
  { id: 'system', name: 'As the system' },
  { id: 'light', name: 'Light' },
  { id: 'dark', name: 'Dark' },
]

const countries = storefronts.map(({ code, name }) => ({ id: code, name }))

/** What this browser remembers: its theme and its storefront. */
export function Looks() {
  const theme = useThemeChoice()
  const choose = useChooseCountry()
  const [here, usual] = [useCountry(), usualCountry()]
  const [help, setHelp] = useState(false)
  return (
    <Panel title="This browser" note="Kept in this browser alone">
      <div className="stack">
        <Segments label="Theme" segments={themes} value={theme} onChange={chooseTheme} />
        <div style={{ maxWidth: 320 }}>
          <Choice label="Default storefront" options={countries} value={usual} onChange={choose} />
        </div>
        <p className="quiet">
          Pages whose address names no storefront are about this one.
          {here !== usual && ` This page’s address names ${countryName(here)}.`}
        </p>
        <div>
          <Button onPress={() => setHelp(true)}>
            Keyboard shortcuts <kbd>?</kbd>
          </Button>
        </div>
      </div>
      <Suspense>{help && <Help onClose={() => setHelp(false)} />}</Suspense>
    </Panel>
  )
}
