import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type ReplyOf, useWrite } from '../../api/operations.ts'
import { appLabelOf } from '../../evidence/app-label.ts'
import { Fact, Measured } from '../../evidence/Fact.tsx'
import { count, countryName, decimal, momentText, money, timeAgo } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Store } from '../../ui/icons.ts'
import { Badge, Empty, Panel, SourceIssues } from '../../ui/parts.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { appNamedBy } from './search.ts'

type AppSearch = ReplyOf<'search_ios_apps'>

/** The way to apps that the catalogue does not have: the App Store is asked, or one app that was named is taken in. */
export function StoreLookup({ term, country }: { term: string; country: Country }) {
  const search = useWrite('search_ios_apps', { changes: ['search_competitors', 'list_competitor_categories'] })
  const named = appNamedBy(term)
  const found = search.data
  return (
    <Panel
      title="App Store search"
      note={
        found ? (
          <>
            <Badge tone={found.answeredFrom === 'live' ? 'good' : 'warn'}>
              {found.answeredFrom === 'live' ? 'Live' : 'Collected'}
            </Badge>{' '}
            {found.detail}
            {found.page && ` Updated ${momentText(found.page.observedAt)} (${timeAgo(found.page.observedAt)}).`}
          </>
        ) : (
          'The search above covers apps with collected data. Search the App Store for others.'
        )
      }
      actions={
        <Button
          icon={<Store size={14} aria-hidden="true" />}
          isPending={search.isPending}
          onPress={() => search.mutate({ term, country, limit: 50 })}
        >
          {found ? 'Search again' : `Search the App Store (${countryName(country)})`}
        </Button>
      }
      flush={!named || (found !== undefined && found.items.length > 0)}
    >
      {named && <NamedApp reference={named.reference} storeId={named.storeId} country={country} />}
      {found && <Found found={found} country={country} />}
    </Panel>
  )
}

function Found({ found, country }: { found: AppSearch; country: Country }) {
  const navigate = useNavigate()
  return (
    <>
      <SourceIssues trouble={found.trouble} />
      <DataTable
        label="App Store results"
        file="app-store"
        rows={found.items}
        rowId={({ app }) => app.storeId}
        onOpen={({ app }) =>
          void navigate({ to: '/apps/$storeId', params: { storeId: app.storeId }, search: { country } })
        }
        columns={[
          {
            id: 'position',
            name: 'Rank',
            align: 'end',
            width: 72,
            value: ({ position }) => position,
            cell: ({ position }) =>
              position === null ? (
                <span className="quiet">no rank</span>
              ) : (
                <Measured
                  evidence={found.page ?? undefined}
                  note={found.depth === null ? undefined : `Of ${count(found.depth)} results.`}
                >
                  {count(position)}
                </Measured>
              ),
          },
          {
            id: 'app',
            name: 'App',
            value: ({ app }) => app.name,
            cell: ({ app }) => <AppLink app={appLabelOf(app)} country={country} />,
          },
          {
            id: 'developer',
            name: 'Developer',
            cell: ({ app }) => (
              <Fact fact={app.developer} evidence={app.evidence} format={(name) => <bdi>{name}</bdi>} />
            ),
          },
          {
            id: 'rating',
            name: 'Rating',
            align: 'end',
            width: 84,
            cell: ({ app }) => <Fact fact={app.rating} evidence={app.evidence} format={decimal} />,
          },
          {
            id: 'price',
            name: 'Price',
            align: 'end',
            width: 96,
            cell: ({ app }) => <Fact fact={app.price} evidence={app.evidence} format={money} />,
          },
        ]}
        empty={
          <Empty title={found.answeredFrom === 'live' ? 'No results in the App Store' : 'No collected results'}>
            {found.detail}
          </Empty>
        }
      />
    </>
  )
}

/** An app that the text names by number, address or bundle id: to its page, or into the catalogue. */
function NamedApp({
  reference,
  storeId,
  country,
}: {
  reference: string
  storeId: string | null
  country: Country
}) {
  const intake = useWrite('request_ios_competitor', { changes: ['search_competitors'] })
  const work = intake.data
  const goesOn = isUnderWay(work)
  // Asking again for the same app answers the same intake, further on.
  useEffect(() => {
    if (!goesOn || intake.isPending) return
    const timer = setTimeout(() => intake.mutate({ app: reference, country }), 1_500)
    return () => clearTimeout(timer)
  }, [goesOn, intake.isPending, intake.mutate, reference, country])
  if (storeId)
    return (
      <p>
        <Link to="/apps/$storeId" params={{ storeId }} search={{ country }}>
          Open app {storeId}
        </Link>
        , and add it there if it has no data yet.
      </p>
    )
  if (work?.storeId)
    return (
      <LinkButton look="primary" to="/apps/$storeId" params={{ storeId: work.storeId }} search={{ country }}>
        Open app {work.storeId}
      </LinkButton>
    )
  return (
    <div className="stack">
      {work && <WorkProgress work={work} name="Adding the app" />}
      {!goesOn && (
        <p>
          <Button isPending={intake.isPending} onPress={() => intake.mutate({ app: reference, country })}>
            Add app <bdi>{reference}</bdi>
          </Button>
        </p>
      )}
    </div>
  )
}
