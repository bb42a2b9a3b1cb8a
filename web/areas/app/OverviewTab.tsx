import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import { EstimateValue } from '../../evidence/EstimateValue.tsx'
import { Absent, Fact, Measured, NotMeasured, RankValue } from '../../evidence/Fact.tsx'
import { ago, bytes, count, dayText, decimal, languageName, momentText, money } from '../../evidence/format.ts'
import { isStale, staleRule } from '../../evidence/freshness.ts'
import { chartInWords, dataKindInWords } from '../../evidence/words.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { LongText } from '../../ui/LongText.tsx'
import { Badge, Empty, Figure, Figures, Panel, Skeleton } from '../../ui/parts.tsx'
import { useAppOfPage } from './app-of-page.ts'
import styles from './OverviewTab.module.css'
import { deviceInWords } from './rank-lines.ts'
import { compactCount, webAddress } from './words.ts'

type AppRecord = ReplyOf<'get_competitor'>

/** The app at a glance: key figures, where it charts, its texts, and how fresh each part is. */
export function OverviewTab() {
  const { storeId, country } = useAppOfPage()
  // The page around it tells a failure.
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
      <div className={styles.columns}>
        <div className="stack">
          <ChartPositions record={record} />
          <Texts record={record} />
          <InAppPurchases record={record} />
        </div>
        <div className="stack">
          <Freshness record={record} />
          <About record={record} />
          <OpenRequests record={record} />
        </div>
      </div>
    </>
  )
}

function KeyFigures({ record }: { record: AppRecord }) {
  const { storeId, evidence, rating, ratingCount, version, updatedAt, estimates, counts } = record
  const params = { storeId }
  const estimateDay = estimates.date && dayText(estimates.date)
  const best = record.chartPositions
    .filter(({ rank }) => rank.state === 'measured')
    .sort((a, b) => rankOf(a) - rankOf(b))[0]
  return (
    <>
      <Figures>
        <Figure
          name="Rating"
          note={
            <>
              <Fact fact={ratingCount} evidence={evidence} format={count} /> ratings
            </>
          }
        >
          <Fact fact={rating} evidence={evidence} absent="no rating" format={decimal} />
        </Figure>
        <Figure
          name="Best chart position now"
          note={best && `${chartInWords[best.chart]}, ${best.categoryName}, ${deviceInWords[best.device]}`}
        >
          {best ? (
            <RankValue rank={best.rank} evidence={best.evidence} />
          ) : record.chartPositions.length > 0 ? (
            <Absent>in no chart</Absent>
          ) : (
            <NotMeasured reason="no-snapshot" />
          )}
        </Figure>
        <Figure
          name="Downloads a day, estimate"
          note={
            <Link {...linkOptions({ to: '/apps/$storeId/estimates', params })}>{estimateDay ?? 'History'}</Link>
          }
        >
          <EstimateValue estimate={estimates.downloads} day={estimateDay} />
        </Figure>
        <Figure
          name="Revenue a day, estimate"
          note={
            <Link {...linkOptions({ to: '/apps/$storeId/estimates', params })}>{estimateDay ?? 'History'}</Link>
          }
        >
          <EstimateValue estimate={estimates.revenue} day={estimateDay} />
        </Figure>
        <Figure
          name="Version"
          note={
            <>
              Updated <Fact fact={updatedAt} evidence={evidence} format={(at) => ago(at)} />
            </>
          }
        >
          <Fact fact={version} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
        </Figure>
      </Figures>
      <Figures>
        <Stored name="Keywords" fact={counts.keywords}>
          <Link {...linkOptions({ to: '/apps/$storeId/keywords', params })}>Ranks by keyword</Link>
        </Stored>
        <Stored name="Paid ads" fact={counts.paidAds}>
          <Link {...linkOptions({ to: '/apps/$storeId/ads', params })}>All ads</Link>
        </Stored>
        <Stored name="Organic posts" fact={counts.posts}>
          <Link {...linkOptions({ to: '/apps/$storeId/organic', params })}>All posts</Link>
        </Stored>
        <Stored name="Pictures and previews" fact={counts.media}>
          <Link {...linkOptions({ to: '/apps/$storeId/media', params })}>Gallery</Link>
        </Stored>
      </Figures>
    </>
  )
}

const rankOf = ({ rank }: AppRecord['chartPositions'][number]): number =>
  rank.state === 'measured' ? rank.value : Number.POSITIVE_INFINITY

/** How many of something are stored. None stored is not the same as none there are. */
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
        <Measured note="So many are stored here; there may be others.">{compactCount(fact.value)}</Measured>
      ) : (
        <NotMeasured reason={fact.reason} />
      )}
    </Figure>
  )
}

function ChartPositions({ record }: { record: AppRecord }) {
  const { storeId, chartPositions } = record
  return (
    <Panel
      title="Chart positions"
      note="In the newest snapshot of each chart of the storefront that shows or showed the app"
      flush
      actions={
        <LinkButton small to="/apps/$storeId/ranks" params={{ storeId }}>
          Ranks over time
        </LinkButton>
      }
    >
      <DataTable
        label="Chart positions"
        rows={chartPositions}
        rowId={({ chart, categoryId, device }) => `${chart} ${categoryId} ${device}`}
        columns={[
          {
            id: 'chart',
            name: 'Chart',
            value: ({ chart }) => chartInWords[chart],
            cell: ({ chart, categoryId, device }) => (
              <Link
                to="/apps/$storeId/ranks"
                params={{ storeId }}
                search={{
                  charts: chart,
                  categoryId,
                  ...(device === 'ipad' ? { device } : {}),
                }}
              >
                {chartInWords[chart]}
              </Link>
            ),
          },
          {
            id: 'category',
            name: 'Category',
            value: ({ categoryName }) => categoryName,
            cell: ({ categoryName }) => categoryName,
          },
          {
            id: 'device',
            name: 'Device',
            width: 84,
            value: ({ device }) => deviceInWords[device],
            cell: ({ device }) => deviceInWords[device],
          },
          {
            id: 'rank',
            name: 'Rank',
            align: 'end',
            width: 110,
            value: ({ rank }) => (rank.state === 'measured' ? rank.value : null),
            cell: ({ rank, evidence }) => <RankValue rank={rank} evidence={evidence} />,
          },
          {
            id: 'captured',
            name: 'Captured',
            align: 'end',
            width: 120,
            value: ({ evidence }) => evidence.observedAt,
            cell: ({ evidence }) => ago(evidence.observedAt),
          },
        ]}
        empty={
          <Empty title="In no chart of this storefront that was captured">
            Ranks over time tells which charts were captured.
          </Empty>
        }
      />
    </Panel>
  )
}

function Texts({ record: { evidence, subtitle, description, releaseNotes, version } }: { record: AppRecord }) {
  return (
    <Panel title="Texts">
      <div className="stack">
        <h3>Subtitle</h3>
        <p>
          <Fact fact={subtitle} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
        </p>
        <h3>Description</h3>
        <Text fact={description} evidence={evidence} name="the description" />
        <h3>
          What’s new
          {version.state === 'measured' && (
            <>
              {' in '}
              <bdi>{version.value}</bdi>
            </>
          )}
        </h3>
        <Text fact={releaseNotes} evidence={evidence} name="the release notes" />
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
          empty={<Empty title="None shown" />}
        />
      ) : (
        <Fact fact={inAppPurchases} evidence={evidence} absent="offers none" format={() => null} />
      )}
    </Panel>
  )
}

function Freshness({ record: { freshness } }: { record: AppRecord }) {
  return (
    <Panel title="Last looked at">
      <dl className={styles.pairs}>
        {freshness.map((part) => (
          <div key={part.part}>
            <dt>{dataKindInWords[part.part]}</dt>
            <dd>
              {part.state === 'measured' ? (
                <>
                  <Measured evidence={part.evidence} note={staleRule(part.part)}>
                    {ago(part.evidence.observedAt)}
                  </Measured>{' '}
                  {isStale(part.part, part.evidence.observedAt) && <Badge tone="warn">stale</Badge>}
                </>
              ) : (
                <NotMeasured reason={part.reason} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function About({ record }: { record: AppRecord }) {
  const { evidence } = record
  const site = record.sellerUrl.state === 'measured' ? webAddress(record.sellerUrl.value) : undefined
  const rows: [string, ReactNode][] = [
    ['Seller', <Fact key="" fact={record.seller} evidence={evidence} format={(name) => <bdi>{name}</bdi>} />],
    [
      'Website',
      <Fact
        key=""
        fact={record.sellerUrl}
        evidence={evidence}
        format={(address) =>
          site ? (
            <a href={site} target="_blank" rel="noreferrer noopener">
              <bdi>{new URL(site).hostname}</bdi>
            </a>
          ) : (
            <bdi>{address}</bdi>
          )
        }
      />,
    ],
    ['Price', <Fact key="" fact={record.price} evidence={evidence} format={money} />],
    [
      'Categories',
      <Fact
        key=""
        fact={record.categories}
        evidence={evidence}
        format={(categories) => categories.map(({ name }) => name).join(', ')}
      />,
    ],
    ['Released', <Fact key="" fact={record.releasedAt} evidence={evidence} format={dayText} />],
    ['Updated', <Fact key="" fact={record.updatedAt} evidence={evidence} format={dayText} />],
    [
      'Rating of this version',
      <span key="">
        <Fact fact={record.ratingCurrentVersion} evidence={evidence} format={decimal} /> (
        <Fact fact={record.ratingCountCurrentVersion} evidence={evidence} format={compactCount} />)
      </span>,
    ],
    [
      'Size',
      record.sizeBytes.state === 'not-measured' && record.sizeShown.state === 'measured' ? (
        <Fact key="" fact={record.sizeShown} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
      ) : (
        <Fact key="" fact={record.sizeBytes} evidence={evidence} format={bytes} />
      ),
    ],
    [
      'Languages',
      record.languages.state === 'not-measured' && record.languagesShown.state === 'measured' ? (
        <Fact key="" fact={record.languagesShown} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
      ) : (
        <Fact
          key=""
          fact={record.languages}
          evidence={evidence}
          format={(tags) => `${count(tags.length)}: ${tags.map(languageName).sort().join(', ')}`}
        />
      ),
    ],
    ['Minimum iOS', <Fact key="" fact={record.minimumOsVersion} evidence={evidence} format={String} />],
    ['Age rating', <Fact key="" fact={record.contentRating} evidence={evidence} format={String} />],
    ['Bundle id', <Fact key="" fact={record.bundleId} evidence={evidence} format={(id) => <bdi>{id}</bdi>} />],
    ['App Store id', record.storeId],
    [
      'Copyright',
      <Fact key="" fact={record.copyright} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />,
    ],
    [
      'First seen here',
      record.firstObservedAt ? (
        momentText(record.firstObservedAt)
      ) : (
        <NotMeasured key="" reason="never-collected" />
      ),
    ],
  ]
  return (
    <Panel title="About">
      <dl className={styles.pairs}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function OpenRequests({ record: { storeId, openDataRequests } }: { record: AppRecord }) {
  return (
    <Panel
      title="Open data requests"
      actions={
        <LinkButton small to="/apps/$storeId/requests" params={{ storeId }}>
          {openDataRequests.length > 0 ? 'All requests' : 'Ask for data'}
        </LinkButton>
      }
    >
      {openDataRequests.length === 0 ? (
        <p className="quiet">None of this account.</p>
      ) : (
        <dl className={styles.pairs}>
          {openDataRequests.map(({ requestId, kind, demand, lastRequestedAt }) => (
            <div key={requestId}>
              <dt>{dataKindInWords[kind]}</dt>
              <dd>
                asked {demand === 1 ? 'once' : `${count(demand)} times`}, {ago(lastRequestedAt)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
