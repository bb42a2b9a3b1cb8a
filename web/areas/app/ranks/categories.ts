import { overallCategory, overallName } from '../../../evidence/categories.ts'
import type { AppRecord } from '../app-record.ts'
import type { ChartHistory } from '../rank-lines.ts'

/** Categories the app can be in a chart of: its own, and those that showed it. */
export function categoriesOf(record: AppRecord | undefined, histories: readonly ChartHistory[]) {
  const names = new Map<string, string>([[overallCategory, overallName]])
  for (const { categoryId, name } of record?.categories.state === 'measured' ? record.categories.value : [])
    names.set(categoryId, name)
  for (const { categoryId, categoryName } of [
    ...(record?.chartPositions ?? []),
    ...histories.flatMap(({ charts }) => charts),
  ])
    if (!names.has(categoryId)) names.set(categoryId, categoryName)
  return [...names].map(([id, name]) => ({ id, name }))
}
