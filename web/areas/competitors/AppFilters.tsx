import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import { count, countryName, dayText } from '../../evidence/format.ts'
import type { AppSummary, Country } from '../../evidence/shapes.ts'
import { overallCategory } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { Choice, DayField, Select } from '../../ui/fields.tsx'
import { SlidersHorizontal, X } from '../../ui/icons.ts'
import { Filters } from '../../ui/parts.tsx'
import type { AppFilters } from './search.ts'

type Change = (changed: { [Name in keyof AppFilters]?: AppFilters[Name] | undefined }) => void
type Category = ReplyOf<'list_competitor_categories'>['items'][number]

const sortOptions = [
  { id: 'relevance', name: 'Best match' },
  { id: 'rating-count', name: 'Most ratings' },
  { id: 'rating', name: 'Highest rated' },
  { id: 'released', name: 'Newest first' },
  { id: 'updated', name: 'Recently updated' },
  { id: 'name', name: 'Name (A–Z)' },
] as const

const priceInWords = { free: 'Free', paid: 'Paid' } as const
const chartingInWords = { yes: 'In charts', no: 'Not in charts' } as const

/** The filters, the rarer ones behind a button; those in use are always in view. */
export function AppFilterBar({
  filters,
  country,
  change,
}: {
  filters: AppFilters
  country: Country
  change: Change
}) {
  const categories = useQuery(read('list_competitor_categories', { country })).data?.items ?? []
  const [open, setOpen] = useState(false)
  const rare = [
    filters.minRatingCount,
    filters.charting,
    filters.releasedFrom,
    filters.releasedTo,
    filters.updatedFrom,
  ].filter((value) => value !== undefined).length
  return (
    <Filters>
      <Choice
        label="Category"
        options={[{ id: 'all', name: 'All categories' }, ...categoryOptions(categories, filters.categoryId)]}
        value={filters.categoryId ?? 'all'}
        onChange={(id) => change({ categoryId: id === 'all' ? undefined : id })}
      />
      <Select
        label="Price"
        options={[
          { id: 'any', name: 'Any price' },
          { id: 'free', name: priceInWords.free },
          { id: 'paid', name: priceInWords.paid },
        ]}
        value={filters.price ?? 'any'}
        onChange={(price) => change({ price: price === 'any' ? undefined : price })}
      />
      <Select
        label="Rating"
        options={[
          { id: '0', name: 'Any rating' },
          ...withCurrent([3, 3.5, 4, 4.5], filters.minRating).map((stars) => ({
            id: String(stars),
            name: `${stars.toLocaleString()} ${stars === 1 ? 'star' : 'stars'} or more`,
          })),
        ]}
        value={String(filters.minRating ?? 0)}
        onChange={(stars) => change({ minRating: stars === '0' ? undefined : Number(stars) })}
      />
      <Select
        label="Sort by"
        options={sortOptions}
        value={filters.sort ?? 'relevance'}
        onChange={(sort) => change({ sort: sort === 'relevance' ? undefined : sort })}
      />
      <div style={{ flex: 'none' }}>
        <Button
          aria-expanded={open}
          aria-controls="more-filters"
          icon={<SlidersHorizontal size={14} aria-hidden="true" />}
          onPress={() => setOpen(!open)}
        >
          {open ? 'Fewer filters' : 'More filters'}
          {rare > 0 && !open ? ` (${rare})` : ''}
        </Button>
      </div>
      <div
        id="more-filters"
        className="tiles"
        style={{ ...customProperties({ '--tile': '160px' }), flex: '1 1 100%' }}
        hidden={!open}
      >
        <Select
          label="Ratings (count)"
          options={[
            { id: '0', name: 'Any' },
            ...withCurrent([100, 1_000, 10_000, 100_000], filters.minRatingCount).map((least) => ({
              id: String(least),
              name: `${count(least)} or more`,
            })),
          ]}
          value={String(filters.minRatingCount ?? 0)}
          onChange={(least) => change({ minRatingCount: least === '0' ? undefined : Number(least) })}
        />
        <Select
          label="Charts"
          options={[
            { id: 'any', name: 'Any' },
            { id: 'yes', name: chartingInWords.yes },
            { id: 'no', name: chartingInWords.no },
          ]}
          value={filters.charting ?? 'any'}
          onChange={(charting) => change({ charting: charting === 'any' ? undefined : charting })}
        />
        <DayField
          label="Released from"
          value={filters.releasedFrom}
          max={filters.releasedTo}
          onChange={(releasedFrom) => change({ releasedFrom })}
        />
        <DayField
          label="Released to"
          value={filters.releasedTo}
          min={filters.releasedFrom}
          onChange={(releasedTo) => change({ releasedTo })}
        />
        <DayField
          label="Updated from"
          value={filters.updatedFrom}
          onChange={(updatedFrom) => change({ updatedFrom })}
        />
      </div>
    </Filters>
  )
}

/** The active filters, each with a button that removes it. */
export function ActiveFilters({
  filters,
  country,
  change,
  apps,
}: {
  filters: AppFilters
  country: Country
  change: Change
  /** Tell the name of the developer that is asked for. */
  apps: readonly AppSummary[]
}) {
  const categories = useQuery(read('list_competitor_categories', { country })).data?.items
  const { categoryId, developerId, price, minRating, minRatingCount, charting } = filters
  const developer = apps.find(
    (app) => app.developerId.state === 'measured' && app.developerId.value === developerId,
  )?.developer
  const active: { name: keyof AppFilters; text: string }[] = [
    developerId && {
      name: 'developerId' as const,
      text: `Developer: ${developer?.state === 'measured' ? developer.value : developerId}`,
    },
    categoryId && {
      name: 'categoryId' as const,
      text: `Category: ${categories?.find((one) => one.categoryId === categoryId)?.name ?? categoryId}`,
    },
    price && { name: 'price' as const, text: `Price: ${priceInWords[price].toLowerCase()}` },
    minRating && { name: 'minRating' as const, text: `Rating: ${minRating.toLocaleString()} or more` },
    minRatingCount && { name: 'minRatingCount' as const, text: `Ratings: ${count(minRatingCount)} or more` },
    charting && { name: 'charting' as const, text: chartingInWords[charting] },
    filters.releasedFrom && {
      name: 'releasedFrom' as const,
      text: `Released from ${dayText(filters.releasedFrom)}`,
    },
    filters.releasedTo && { name: 'releasedTo' as const, text: `Released to ${dayText(filters.releasedTo)}` },
    filters.updatedFrom && {
      name: 'updatedFrom' as const,
      text: `Updated from ${dayText(filters.updatedFrom)}`,
    },
  ].filter((one) => typeof one === 'object')
  if (active.length === 0) return null
  return (
    <ul className="row" aria-label={`Active filters, ${countryName(country)}`}>
      {active.map(({ name, text }) => (
        <li key={name}>
          <Button small aria-label={`Remove filter ${text}`} onPress={() => change({ [name]: undefined })}>
            <bdi>{text}</bdi>
            <X size={13} aria-hidden="true" />
          </Button>
        </li>
      ))}
      {active.length > 1 && (
        <li>
          <Button
            small
            look="bare"
            onPress={() => change(Object.fromEntries(active.map(({ name }) => [name, undefined])))}
          >
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

/** Categories that hold apps, each under the name of its parent; the chosen one even when it holds none. */
function categoryOptions(categories: readonly Category[], chosen: string | undefined) {
  const nameOf = new Map(categories.map(({ categoryId, name }) => [categoryId, name]))
  return categories
    .filter(({ categoryId, apps }) => categoryId === chosen || (apps > 0 && categoryId !== overallCategory))
    .map(({ categoryId, name, parentId, apps }) => ({
      id: categoryId,
      name: `${parentId && parentId !== overallCategory ? `${nameOf.get(parentId)} › ` : ''}${name} (${count(apps)})`,
    }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** Steps to choose from, with the one of the address in its place among them. */
const withCurrent = (steps: readonly number[], current: number | undefined): number[] =>
  [...new Set(current ? [...steps, current] : steps)].sort((a, b) => a - b)
