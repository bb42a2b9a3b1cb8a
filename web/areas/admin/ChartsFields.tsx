import { useQuery } from '@tanstack/react-query'
import { type ChartKind, chartKinds } from '../../../src/vocabulary/chart-kinds.ts'
import { read } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import type { Country, Device } from '../../evidence/shapes.ts'
import { chartInWords, deviceInWords, devices, overallCategoryName } from '../../evidence/words.ts'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { StorefrontsField } from './StorefrontsField.tsx'

/** Which charts: at least one of each, as the schedule and collecting by hand take them. */
export interface ChartsChosen {
  countries: readonly Country[]
  charts: readonly ChartKind[]
  categories: readonly number[]
  devices: readonly Device[]
}

export const isWholeChoice = ({ countries, charts, categories, devices }: ChartsChosen): boolean =>
  [countries, charts, categories, devices].every((some) => some.length > 0)

export function ChartsFields({
  chosen,
  onChange,
}: {
  chosen: ChartsChosen
  onChange: (change: Partial<ChartsChosen>) => void
}) {
  const { data } = useQuery(read('list_competitor_categories', { country: useCountry() }))
  const known = (data?.items ?? []).map(({ categoryId, name }) => ({ id: categoryId, name }))
  const categories = [
    { id: '36', name: overallCategoryName },
    ...known.filter(({ id }) => id !== '36').sort((one, other) => one.name.localeCompare(other.name)),
  ]
  return (
    <>
      <StorefrontsField values={chosen.countries} onChange={(countries) => onChange({ countries })} />
      <SelectSome
        label="Charts"
        options={chartKinds.map((id) => ({ id, name: chartInWords[id] }))}
        values={chosen.charts}
        onChange={(charts) => onChange({ charts })}
      />
      <SelectSome
        label="Categories"
        options={categories}
        values={chosen.categories.map(String)}
        onChange={(ids) => onChange({ categories: ids.map(Number) })}
      />
      <SelectSome
        label="Devices"
        options={devices.map((id) => ({ id, name: deviceInWords[id] }))}
        values={chosen.devices}
        onChange={(some) => onChange({ devices: some })}
      />
    </>
  )
}
