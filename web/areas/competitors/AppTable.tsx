import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { appLabelOf } from '../../evidence/app-label.ts'
import { Fact } from '../../evidence/Fact.tsx'
import { count, countryName, dayText, decimal, money, totalText } from '../../evidence/format.ts'
import type { AppSummary, Country, FactOf, Total } from '../../evidence/shapes.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { compareColumn } from '../../ui/CompareLink.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge } from '../../ui/parts.tsx'
import type { AppFilters } from './search.ts'

type Sort = AppFilters['sort']

const measured = <Value,>(fact: FactOf<Value>): Value | null => (fact.state === 'measured' ? fact.value : null)

/** Columns are named like the orders of the search that they stand for. */
const columnsIn = (country: Country): Column<AppSummary>[] => [
  {
    id: 'name',
    name: 'App',
    width: 270,
    value: ({ name }) => name,
    cell: (app) => (
      <span className="row">
        <AppLink app={appLabelOf(app)} country={country} />
        {app.namedIn !== country && <Badge tone="warn">{countryName(app.namedIn)} data only</Badge>}
      </span>
    ),
  },
  {
    id: 'developer',
    name: 'Developer',
    csv: ({ developer }) => measured(developer),
    cell: ({ developer, evidence }) => (
      <Fact fact={developer} evidence={evidence} format={(name) => <bdi>{name}</bdi>} />
    ),
  },
  {
    id: 'category',
    name: 'Category',
    width: 120,
    csv: ({ primaryCategory }) => measured(primaryCategory)?.name ?? null,
    cell: ({ primaryCategory, evidence }) => (
      <Fact fact={primaryCategory} evidence={evidence} format={({ name }) => name} />
    ),
  },
  {
    id: 'price',
    name: 'Price',
    align: 'end',
    width: 84,
    csv: ({ price }) => measured(price)?.amount ?? null,
    cell: ({ price, evidence }) => <Fact fact={price} evidence={evidence} format={money} />,
  },
  {
    id: 'rating',
    name: 'Rating',
    align: 'end',
    width: 76,
    descendingFirst: true,
    value: ({ rating }) => measured(rating),
    cell: ({ rating, evidence }) => <Fact fact={rating} evidence={evidence} format={decimal} />,
  },
  {
    id: 'rating-count',
    name: 'Ratings',
    align: 'end',
    width: 96,
    descendingFirst: true,
    value: ({ ratingCount }) => measured(ratingCount),
    cell: ({ ratingCount, evidence }) => <Fact fact={ratingCount} evidence={evidence} format={count} />,
  },
  {
    id: 'released',
    name: 'Released',
    align: 'end',
    width: 108,
    descendingFirst: true,
    value: ({ releasedAt }) => measured(releasedAt),
    cell: ({ releasedAt, evidence }) => <Fact fact={releasedAt} evidence={evidence} format={dayText} />,
  },
  {
    id: 'updated',
    name: 'Updated',
    align: 'end',
    width: 108,
    descendingFirst: true,
    value: ({ updatedAt }) => measured(updatedAt),
    cell: ({ updatedAt, evidence }) => <Fact fact={updatedAt} evidence={evidence} format={dayText} />,
  },
  compareColumn(({ storeId, name }) => ({ storeId, country, name })),
]

/** The apps of a search as a table. Its order is the service's: numbers and days high to low, names A to Z. */
export function AppTable({
  apps,
  country,
  total,
  sort,
  onSort,
  onNearEnd,
}: {
  apps: readonly AppSummary[]
  country: Country
  total: Total | undefined
  sort: Sort
  onSort: (sort: Sort) => void
  onNearEnd: () => void
}) {
  const navigate = useNavigate()
  const columns = useMemo(() => columnsIn(country), [country])
  return (
    <DataTable
      label="Apps found"
      file="apps"
      rows={apps}
      rowId={({ storeId }) => storeId}
      columns={columns}
      isInOrder
      sort={sort && sort !== 'relevance' ? { column: sort, descending: sort !== 'name' } : undefined}
      onSort={(next) => onSort(next && next.column !== sort ? (next.column as Sort) : undefined)}
      onOpen={({ storeId }) =>
        void navigate({ to: '/apps/$storeId', params: { storeId }, search: { country } })
      }
      onNearEnd={onNearEnd}
      {...(total ? { of: totalText(total) } : {})}
      height="max(360px, calc(100dvh - 300px))"
      empty={null}
    />
  )
}
