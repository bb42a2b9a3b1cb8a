import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { read } from '../api/operations.ts'
import { useCountry } from '../evidence/country.ts'
import { overallCategory as all, overallCategoryName } from '../evidence/words.ts'
import { Choice } from './fields.tsx'

/** One of Apple's categories, found by typing. */
export function CategoryChoice({ value, onChange }: { value: string; onChange: (categoryId: string) => void }) {
  const country = useCountry()
  const categories = useQuery(read('list_competitor_categories', { country }))
  const options = useMemo(() => categoryOptions(categories.data?.items, value), [categories.data, value])
  return <Choice label="Category" options={options} value={value} onChange={onChange} />
}

interface CategoryNode {
  categoryId: string
  name: string
  parentId: string | null
}

/** Categories by name, those below another after it. */
function categoryOptions(items: readonly CategoryNode[] | undefined, chosen: string) {
  if (!items) return [{ id: chosen, name: chosen === all ? overallCategoryName : `Category ${chosen}` }]
  const names = new Map(items.map(({ categoryId, name }) => [categoryId, name]))
  const named = items.map(({ categoryId, name, parentId }) => {
    const parent = parentId === null || parentId === all ? undefined : names.get(parentId)
    return { id: categoryId, name: parent ? `${parent}: ${name}` : name }
  })
  const [first, rest] = [named.filter(({ id }) => id === all), named.filter(({ id }) => id !== all)]
  const known = names.has(chosen) ? [] : [{ id: chosen, name: `Category ${chosen}` }]
  return [...first, ...rest.sort((a, b) => a.name.localeCompare(b.name)), ...known]
}
