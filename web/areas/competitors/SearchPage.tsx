import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { readPages } from '../../api/operations.ts'
import { useAllowed } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { countryName, totalOf } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Empty, Loaded, MorePages, Page, Panel, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AppCards } from './AppCards.tsx'
import { ActiveFilters, AppFilterBar } from './AppFilters.tsx'
import { AppTable } from './AppTable.tsx'
import { StoreLookup } from './StoreLookup.tsx'
import { type AppFilters, argumentsOf } from './search.ts'

const typingMs = 150

/** Finds apps of the catalogue as you type, and those of the App Store that are not in it. */
export function SearchPage() {
  const country = useCountry()
  const filters = useSearch({ from: '/apps' })
  const navigate = useNavigate({ from: '/apps' })
  const mayWrite = useAllowed('content:write')
  const change = (changed: { [Name in keyof AppFilters]?: AppFilters[Name] | undefined }) =>
    void navigate({ search: (search) => compactSearch({ ...search, ...changed }), replace: true })
  const query = useInfiniteQuery({
    ...readPages('search_competitors', argumentsOf(filters, country)),
    placeholderData: keepPreviousData,
  })
  const apps = query.data?.pages.flatMap(({ items }) => items) ?? []
  const total = query.data?.pages[0]?.total
  const more = () => {
    if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
  }
  return (
    <Page
      title="Competitors"
      subtitle={`Apps of the catalogue, with the values of ${countryName(country)}`}
      actions={
        <Segments
          label="View"
          labelHidden
          segments={[
            { id: 'table', name: 'Table' },
            { id: 'cards', name: 'Cards' },
          ]}
          value={filters.view ?? 'table'}
          onChange={(view) => change({ view: view === 'cards' ? 'cards' : undefined })}
        />
      }
    >
      <SearchText value={filters.q ?? ''} onChange={(q) => change({ q: q.trim() === '' ? undefined : q })} />
      <AppFilterBar filters={filters} country={country} change={change} />
      <ActiveFilters filters={filters} country={country} change={change} apps={apps} />
      <Loaded query={query} skeleton={<Skeleton height={480} />}>
        {() => (
          <Panel title={total ? totalOf(total, 'app') : 'Apps'} flush={apps.length > 0}>
            <div style={query.isPlaceholderData ? { opacity: 0.6 } : undefined}>
              {apps.length === 0 ? (
                <NothingFound filters={filters} change={change} />
              ) : filters.view === 'cards' ? (
                <AppCards apps={apps} country={country} onNearEnd={more} />
              ) : (
                <AppTable
                  apps={apps}
                  country={country}
                  total={total}
                  sort={filters.sort}
                  onSort={(sort) => change({ sort })}
                  onNearEnd={more}
                />
              )}
            </div>
            <MorePages query={query} shown={apps.length} />
          </Panel>
        )}
      </Loaded>
      {filters.q !== undefined && mayWrite && (
        <StoreLookup key={`${country} ${filters.q}`} term={filters.q} country={country} />
      )}
    </Page>
  )
}

function NothingFound({
  filters: { q, sort: _, view: __, ...narrowing },
  change,
}: {
  filters: AppFilters
  change: (changed: { [Name in keyof AppFilters]?: undefined }) => void
}) {
  const names = Object.keys(narrowing)
  return (
    <Empty
      title={
        q === undefined ? 'No app of the catalogue passes these filters' : 'Nothing in the catalogue matches'
      }
      action={
        names.length > 0 && (
          <Button onPress={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}>
            Search without filters
          </Button>
        )
      }
    >
      {names.length > 0
        ? 'Filters leave out apps whose value is not measured.'
        : 'Try fewer words or another spelling, or look it up in the App Store below.'}
    </Empty>
  )
}

/** What is typed goes to the address once the typing rests. */
function SearchText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // The address has changed by itself: back, forward, or a link.
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = (text: string) => {
    clearTimeout(timer.current)
    sent.current = text.trim() === '' ? '' : text
    onChange(text)
  }
  return (
    <SearchField
      label="Search apps"
      placeholder="Name, developer, App Store id or address…"
      value={typed}
      autoFocus={value === ''}
      maxLength={200}
      onChange={(text) => {
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => send(text), typingMs)
      }}
      onSubmit={send}
    />
  )
}
