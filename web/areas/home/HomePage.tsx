import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { count, dayText } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { Button } from '../../ui/Button.tsx'
import { css } from '../../ui/css.ts'
import { Printer } from '../../ui/icons.ts'
import { Loaded, Page, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { Creatives } from './Creatives.tsx'
import { Emerging } from './Emerging.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Freshness } from './Freshness.tsx'
import styles from './home.module.css'
import { ChartMoves, KeywordMoves, ListingMoves } from './Moves.tsx'
import { type SinceDays, sinceDays, spanOf } from './moves.ts'
import { Tracked } from './Tracked.tsx'

/** Apps that are looked at one by one; of the others the figures of their list are shown. */
const mostInDetail = 20

/** The morning check: what moved in the tracked apps, and what is stale or failing. */
export function HomePage() {
  const { since = 7, apps: whose } = useSearch({ from: '/' })
  const query = useQuery(trackedApps)
  const shown = useMemo(() => query.data?.filter(({ role }) => isShown(role, whose)), [query.data, whose])
  const span = useMemo(() => spanOf(query.data ?? [], since, new Date()), [query.data, since])
  if (query.data?.length === 0) return <FirstSteps />
  return (
    <Page
      title="What moved"
      subtitle={
        query.data
          ? `${dayText(span.from)} to ${dayText(span.until)}, when the newest result page was read`
          : 'Across the tracked apps'
      }
      actions={<Choices />}
    >
      <Loaded query={{ ...query, data: shown }} skeleton={<HomeSkeleton />}>
        {(apps) => {
          const detailed = apps.slice(0, mostInDetail)
          return (
            <>
              {apps.length > detailed.length && (
                <p className="quiet">
                  The first {count(detailed.length)} of {count(apps.length)} tracked apps are looked at one by
                  one, own ones first.
                </p>
              )}
              <div className={`${styles.page} columns`} style={beside}>
                <div className={`${styles.moves} stack gap-4 shrinks`}>
                  {whose !== 'rivals' && (
                    <KeywordMoves apps={detailed.filter(({ role }) => role === 'own')} span={span} />
                  )}
                  <ChartMoves apps={detailed} span={span} />
                  <ListingMoves apps={detailed} span={span} />
                  <Creatives apps={detailed} span={span} />
                </div>
                <div className={`${styles.side} stack gap-4 shrinks`}>
                  <Tracked apps={apps} />
                  <Emerging apps={detailed} span={span} />
                </div>
              </div>
              <Freshness apps={apps} detailed={detailed} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

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
          { id: 'own', name: 'Own' },
          { id: 'rivals', name: 'Rivals' },
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

const beside = css({ '--columns': 'minmax(0, 1fr) minmax(0, 24rem)' })

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
