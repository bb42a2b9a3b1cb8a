import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useReplies } from '../../api/replies.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { count, countryName } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { Printer } from '../../ui/icons.ts'
import { Loaded, Page, Panel, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { Creatives } from './Creatives.tsx'
import styles from './home.module.css'
import { ChartMoves, KeywordMoves, ListingMoves } from './Moves.tsx'
import { newRows, type SinceDays, sinceDays } from './moves.ts'
import { spanNote } from './Section.tsx'
import { Tracked } from './Tracked.tsx'

/** The first question of an empty store; who tracks apps already never needs it. */
const WhichApp = lazy(async () => ({ default: (await import('../start/StartPage.tsx')).WhichApp }))

/** The foot of the page, with its table: nobody sees it so soon. */
const Freshness = lazy(async () => ({ default: (await import('./Freshness.tsx')).Freshness }))

/** Apps that are looked at one by one; of the others the figures of their list are shown. */
const mostInDetail = 20

/** The morning check: what moved in the tracked apps, and what is stale or failing. */
export function HomePage() {
  const { since = 7, apps: whose } = useSearch({ from: '/' })
  const query = useQuery(trackedApps)
  const shown = useMemo(() => query.data?.filter(({ role }) => isShown(role, whose)), [query.data, whose])
  if (query.data?.length === 0)
    return (
      <Suspense fallback={<HomeSkeleton />}>
        <WhichApp />
      </Suspense>
    )
  return (
    <Page
      title="Changes"
      subtitle={`Tracked apps, ${sinceInWords[since]} up to the last update of each`}
      actions={
        <>
          {query.data && isUnfinished(query.data) && (
            <LinkButton to="/start" look="primary">
              Finish setup
            </LinkButton>
          )}
          <Choices />
        </>
      }
    >
      <Loaded query={{ ...query, data: shown }} skeleton={<HomeSkeleton />}>
        {(apps) => {
          const detailed = apps.slice(0, mostInDetail)
          return (
            <>
              {apps.length > detailed.length && (
                <p className="quiet">
                  Changes are shown for the first {count(detailed.length)} of {count(apps.length)} tracked apps,
                  my apps first.
                </p>
              )}
              <div className={`${styles.page} columns`} style={beside}>
                <div className={`${styles.moves} stack gap-4 shrinks`}>
                  {whose !== 'rivals' && (
                    <KeywordMoves apps={detailed.filter(({ role }) => role === 'own')} days={since} />
                  )}
                  <ChartMoves apps={detailed} days={since} />
                  <ListingMoves apps={detailed} days={since} />
                  <Creatives apps={detailed} days={since} />
                </div>
                <div className={`${styles.side} stack gap-4 shrinks`}>
                  <Tracked apps={apps} />
                  <Emerging apps={detailed} days={since} />
                </div>
              </div>
              <Suspense fallback={<Skeleton height={320} />}>
                <Freshness apps={apps} detailed={detailed} />
              </Suspense>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** Whether an own app has no competitor or no keyword that was searched. */
const isUnfinished = (apps: readonly TrackedAppSummary[]): boolean =>
  !apps.some(({ role }) => role === 'rival') ||
  !apps.some(
    ({ role, keywordCount, visibility }) => role === 'own' && keywordCount > 0 && visibility.measured > 0,
  )

const isShown = (role: TrackedAppSummary['role'], whose: 'own' | 'rivals' | undefined): boolean =>
  whose === undefined || (whose === 'own') === (role === 'own')

function Choices() {
  const { since = 7, apps = 'all' } = useSearch({ from: '/' })
  const navigate = useNavigate({ from: '/' })
  return (
    <>
      <Segments
        label="Apps"
        labelHidden
        segments={[
          { id: 'all', name: 'All apps' },
          { id: 'own', name: 'My apps' },
          { id: 'rivals', name: 'Competitors' },
        ]}
        value={apps}
        onChange={(value) =>
          void navigate({
            search: (old) => compactSearch({ ...old, apps: value === 'all' ? undefined : value }),
          })
        }
      />
      <Segments
        label="Since"
        labelHidden
        segments={sinceDays.map((days) => ({ id: String(days), name: sinceInWords[days] }))}
        value={String(since)}
        onChange={(value) =>
          void navigate({
            search: (old) =>
              compactSearch({ ...old, since: sinceDays.find((days) => days !== 7 && String(days) === value) }),
          })
        }
      />
      <Button icon={<Printer size={15} aria-hidden="true" />} onPress={() => window.print()}>
        Print
      </Button>
    </>
  )
}

const beside = customProperties({ '--columns': 'minmax(0, 1fr) minmax(0, 24rem)' })

const sinceInWords: Record<SinceDays, string> = { 1: '1 day', 7: '7 days', 30: '30 days' }

const HomeSkeleton = () => (
  <div className={`${styles.page} columns`} style={beside}>
    <div className={`${styles.moves} stack gap-4 shrinks`}>
      <Skeleton height={360} />
      <Skeleton height={360} />
    </div>
    <div className={`${styles.side} stack gap-4 shrinks`}>
      <Skeleton height={420} />
    </div>
  </div>
)

const mostStorefronts = 3
const mostOfEach = 5

/** Apps found to be new in charts, moved up or gaining ratings, in the storefronts of the tracked apps. */
function Emerging({ apps, days }: { apps: readonly TrackedAppSummary[]; days: SinceDays }) {
  const countries = [...new Set(apps.map(({ country }) => country))].slice(0, mostStorefronts)
  const { replies, reading } = useReplies(
    'list_emerging_ios_competitors',
    countries.map((country) => ({ country, limit: 50 })),
  )
  const runs = new Map(
    replies.flatMap((reply, index) => {
      const [country, at] = [countries[index], reply?.lastRun?.finishedAt]
      return country && at ? [[country as string, at] as const] : []
    }),
  )
  const { rows, looked } = newRows(
    replies
      .flatMap((reply) => reply?.items ?? [])
      .map((row) => ({ row, began: row.discoveredAt, observed: [], subjects: [row.country] })),
    days,
    runs,
  )
  const found = rows.sort((a, b) => b.score - a.score)
  const unseen = reading.done < reading.total ? [] : countries.filter((country) => !runs.has(country))
  return (
    <Panel
      title="Emerging"
      note={[
        spanNote(looked, days, 'storefront'),
        unseen.length > 0 && `Not checked yet: ${unseen.map(countryName).join(', ')}`,
      ]
        .filter(Boolean)
        .join('. ')}
      actions={
        <LinkButton small to="/emerging">
          All
        </LinkButton>
      }
      flush
    >
      {found.length === 0 && reading.done < reading.total && (
        <div className="pad quiet">
          <Skeleton height={120} />
        </div>
      )}
      {found.length === 0 && reading.done === reading.total && (
        <p className="pad quiet">
          {runs.size > 0 && 'None found in this period. '}A discovery run finds them in collected charts and
          ratings: <Link to="/emerging">start one</Link>.
        </p>
      )}
      <ul className={`${styles.rows} ruled`}>
        {found.slice(0, mostOfEach).map(({ app, country, kind, score, formula, reasons, evidence }) => (
          <li key={`${app.storeId} ${country}`} className="small pad-2-4 hovers">
            <div className="row nowrap between">
              <AppLink app={app} country={country} />
              <Measured
                formula={formula}
                evidence={evidence[0]}
                note="Score from 0 to 100: how strong the signals are, not a forecast."
              >
                {count(score)}
              </Measured>
            </div>
            <p className="quiet" style={{ textWrap: 'pretty' }}>
              {[kind && (kind === 'moved-up' ? 'Moved up' : 'New in charts'), reasons[0]?.detail]
                .filter(Boolean)
                .join(': ')}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
