import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../../api/operations.ts'
import { Fact, Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { count, timeAgo } from '../../evidence/format.ts'
import { isStale, staleRule } from '../../evidence/freshness.ts'
import { dataKindInWords } from '../../evidence/words.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { LongText } from '../../ui/LongText.tsx'
import { Badge, Empty, Figure, Figures, Panel, Skeleton } from '../../ui/parts.tsx'
import type { AppRecord } from './app-of-page.ts'
import { useAppOfPage } from './app-of-page.ts'
import { About } from './overview/About.tsx'
import { ChartPositions } from './overview/ChartPositions.tsx'
import { KeyFigures } from './overview/KeyFigures.tsx'
import { Pair, Pairs } from './overview/Pairs.tsx'
import { compactCount } from './words.ts'

/** The app at a glance: key figures, where it charts, its texts, and how fresh each part is. */
export function OverviewTab() {
  const { storeId, country } = useAppOfPage()
  // Failures are shown by the page around it.
  const record = useQuery(read('get_competitor', { storeId, country })).data
  if (!record)
    return (
      <div className="stack" aria-busy="true">
        <Skeleton height={150} />
        <Skeleton height={420} />
      </div>
    )
  return (
    <>
      <KeyFigures record={record} />
      <StoredCounts record={record} />
      <div className="columns" style={customProperties({ '--columns': 'minmax(0, 1fr) minmax(280px, 380px)' })}>
        <div className="stack gap-4">
          <ChartPositions record={record} />
          <Texts record={record} />
          <InAppPurchases record={record} />
        </div>
        <div className="stack gap-4">
          <Freshness record={record} />
          <About record={record} />
          <OpenRequests record={record} />
        </div>
      </div>
    </>
  )
}

/** When each part of the app was last observed. */
function Freshness({ record: { freshness } }: { record: AppRecord }) {
  return (
    <Panel title="Last updated">
      <Pairs>
        {freshness.map((part) => (
          <Pair key={part.part} name={dataKindInWords[part.part]}>
            {part.state === 'measured' ? (
              <>
                <Measured evidence={part.evidence} note={staleRule(part.part)}>
                  {timeAgo(part.evidence.observedAt)}
                </Measured>{' '}
                {isStale(part.part, part.evidence.observedAt) && <Badge tone="warn">out of date</Badge>}
              </>
            ) : (
              <NotMeasured reason={part.reason} />
            )}
          </Pair>
        ))}
      </Pairs>
    </Panel>
  )
}

/** What can be bought inside the app, as the listing shows it. */
function InAppPurchases({ record: { inAppPurchases, evidence } }: { record: AppRecord }) {
  return (
    <Panel title="In-app purchases" flush={inAppPurchases.state === 'measured'}>
      {inAppPurchases.state === 'measured' ? (
        <DataTable
          label="In-app purchases"
          rows={inAppPurchases.value}
          rowId={({ name, price }) => `${name} ${price}`}
          columns={[
            { id: 'name', name: 'Name', value: ({ name }) => name, cell: ({ name }) => <bdi>{name}</bdi> },
            {
              id: 'price',
              name: 'Price',
              align: 'end',
              width: 120,
              cell: ({ price }) => (
                <Measured evidence={evidence[inAppPurchases.evidence]}>
                  <bdi>{price}</bdi>
                </Measured>
              ),
            },
          ]}
          empty={<Empty title="None found" />}
        />
      ) : (
        <Fact fact={inAppPurchases} evidence={evidence} absent="none" format={() => null} />
      )}
    </Panel>
  )
}

/** Open data requests of this account. */
function OpenRequests({ record: { storeId, openDataRequests } }: { record: AppRecord }) {
  return (
    <Panel
      title="Open data requests"
      actions={
        <LinkButton small to="/apps/$storeId/requests" params={{ storeId }}>
          {openDataRequests.length > 0 ? 'All requests' : 'Request data'}
        </LinkButton>
      }
    >
      {openDataRequests.length === 0 ? (
        <p className="quiet">No open requests.</p>
      ) : (
        <Pairs>
          {openDataRequests.map(({ requestId, kind, demand, lastRequestedAt }) => (
            <Pair key={requestId} name={dataKindInWords[kind]}>
              requested {demand === 1 ? 'once' : `${count(demand)} times`}, {timeAgo(lastRequestedAt)}
            </Pair>
          ))}
        </Pairs>
      )}
    </Panel>
  )
}

/** How much is stored of each kind, with the way to it. */
function StoredCounts({ record: { storeId, counts } }: { record: AppRecord }) {
  const params = { storeId }
  return (
    <Figures>
      <Stored name="Keywords ranked" fact={counts.keywords}>
        <Link {...linkOptions({ to: '/apps/$storeId/keywords', params })}>All keywords</Link>
      </Stored>
      <Stored name="Paid ads" fact={counts.paidAds}>
        <Link {...linkOptions({ to: '/apps/$storeId/ads', params })}>All ads</Link>
      </Stored>
      <Stored name="Organic posts" fact={counts.posts}>
        <Link {...linkOptions({ to: '/apps/$storeId/organic', params })}>All posts</Link>
      </Stored>
      <Stored name="Media" fact={counts.media}>
        <Link {...linkOptions({ to: '/apps/$storeId/media', params })}>All media</Link>
      </Stored>
    </Figures>
  )
}

/** A number of stored items. Zero stored items do not mean that there are none. */
function Stored({
  name,
  fact,
  children,
}: {
  name: string
  fact: AppRecord['counts']['posts']
  children: ReactNode
}) {
  return (
    <Figure name={name} note={children}>
      {fact.state === 'measured' ? (
        <Measured note="Collected so far; there may be more.">{compactCount(fact.value)}</Measured>
      ) : (
        <NotMeasured reason={fact.reason} />
      )}
    </Figure>
  )
}

/** The texts of the listing. */
function Texts({ record: { evidence, subtitle, description, releaseNotes, version } }: { record: AppRecord }) {
  return (
    <Panel title="Listing texts">
      <div className="stack">
        <div>
          <h3>Subtitle</h3>
          <Text fact={subtitle} evidence={evidence} name="the subtitle" />
        </div>
        <div>
          <h3>Description</h3>
          <Text fact={description} evidence={evidence} name="the description" />
        </div>
        <div>
          <h3>
            What’s New
            {version.state === 'measured' && (
              <>
                {', '}
                <bdi>{version.value}</bdi>
              </>
            )}
          </h3>
          <Text fact={releaseNotes} evidence={evidence} name="What’s New" />
        </div>
      </div>
    </Panel>
  )
}

function Text({
  fact,
  evidence,
  name,
}: {
  fact: AppRecord['description']
  evidence: AppRecord['evidence']
  name: string
}) {
  if (fact.state !== 'measured')
    return (
      <p>
        <Fact fact={fact} evidence={evidence} format={String} />
      </p>
    )
  return <LongText key={fact.value} text={fact.value} name={name} />
}
