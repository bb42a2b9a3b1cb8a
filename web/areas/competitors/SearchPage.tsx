import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { readPages } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { Fact } from '../../evidence/Fact.tsx'
import { count, countryName, decimal, money, timeAgo, totalOf } from '../../evidence/format.ts'
import type { AppSummary, Country } from '../../evidence/shapes.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { SearchField } from '../../ui/fields.tsx'
import { Badge, Empty, Loaded, MorePages, Page, Panel, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { ActiveFilters, AppFilterBar } from './AppFilters.tsx'
import { AppTable } from './AppTable.tsx'
import { StoreLookup } from './StoreLookup.tsx'
import { type AppFilters, searchArgumentsOf } from './search.ts'

const typingMs = 150

/** Finds apps of the catalogue as you type, and those of the App Store that are not in it. */
export function SearchPage() {
  const country = useCountry()
  const filters = useSearch({ from: '/apps' })
  const navigate = useNavigate({ from: '/apps' })
  const mayWrite = useHasScope('content:write')
  const change = (changed: { [Name in keyof AppFilters]?: AppFilters[Name] | undefined }) =>
    void navigate({ search: (search) => compactSearch({ ...search, ...changed }), replace: true })
  const query = useInfiniteQuery({
    ...readPages('search_competitors', searchArgumentsOf(filters, country)),
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
      subtitle={`Apps with collected data, ${countryName(country)} storefront`}
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
        names.length > 0 ? 'No apps match these filters' : q === undefined ? 'No apps yet' : 'No apps found'
      }
      action={
        names.length > 0 && (
          <Button onPress={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}>
            Clear filters
          </Button>
        )
      }
    >
      {names.length > 0
        ? 'Apps without data for a filter are left out.'
        : q === undefined
          ? 'Search by name, or paste an App Store link or ID.'
          : 'Try fewer words or another spelling, or search the App Store below.'}
    </Empty>
  )
}

/** Writes the typed text to the address after a pause in typing. */
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
      placeholder="App name, developer, App Store ID or link…"
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

/** The apps of a search as cards, for who looks rather than compares. j and k go from card to card. */
function AppCards({
  apps,
  country,
  onNearEnd,
}: {
  apps: readonly AppSummary[]
  country: Country
  onNearEnd: () => void
}) {
  const end = useRef<HTMLLIElement>(null)
  const nearEnd = useRef(onNearEnd)
  nearEnd.current = onNearEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: more cards may leave the end in view
  useEffect(() => {
    if (!end.current) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && nearEnd.current(), {
      rootMargin: '400px',
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [apps.length])
  return (
    <ul className="tiles gap-0" style={customProperties({ '--tile': '270px' })} onKeyDown={moveBetweenCards}>
      {apps.map((app) => (
        <li
          key={app.storeId}
          className="row nowrap stretch gap-3 pad-4 anchor shrinks hovers"
          style={{ boxShadow: '1px 1px 0 var(--border)' }}
        >
          <AppIcon url={app.icon.state === 'measured' ? app.icon.value : null} name={app.name} size={56} />
          <div className="stack top gap-0 small shrinks" style={{ minHeight: 84 }}>
            <Link
              to="/apps/$storeId"
              params={{ storeId: app.storeId }}
              search={{ country }}
              className="covers ink fits cut normal medium"
            >
              <bdi>{app.name}</bdi>
            </Link>
            {app.namedIn === country ? (
              <CardFacts app={app} />
            ) : (
              <Badge tone="warn">{countryName(app.namedIn)} data only</Badge>
            )}
          </div>
        </li>
      ))}
      <li ref={end} aria-hidden="true" />
    </ul>
  )
}

function CardFacts({ app }: { app: AppSummary }) {
  const { evidence, developer, primaryCategory, rating, ratingCount, price, updatedAt } = app
  return (
    <>
      <span className="cut quiet fits anchor">
        <Fact fact={developer} evidence={evidence} format={(name) => <bdi>{name}</bdi>} />
      </span>
      <span className="cut quiet fits anchor">
        <Fact fact={primaryCategory} evidence={evidence} format={({ name }) => name} />
        {' · '}
        <Fact fact={price} evidence={evidence} format={money} />
      </span>
      <span className="cut quiet fits anchor">
        <span aria-hidden="true">★ </span>
        <span className="hidden">Rating </span>
        <Fact fact={rating} evidence={evidence} format={decimal} /> (
        <Fact fact={ratingCount} evidence={evidence} format={count} />)
      </span>
      <span className="cut quiet fits anchor">
        Updated <Fact fact={updatedAt} evidence={evidence} format={(at) => timeAgo(at)} />
      </span>
    </>
  )
}

function moveBetweenCards(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { j: 1, k: -1 }[event.key]
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const card = (event.target as Element).closest('li')
  links[links.findIndex((link) => card?.contains(link)) + step]?.focus()
}
