import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readPages, useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import {
  count,
  countryName,
  countWithNoun,
  decimal,
  momentText,
  percentText,
  spanText,
  timeAgo,
} from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { trackedApps, useTrackedApps } from '../../evidence/tracked.ts'
import { overallCategory } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { CategoryChoice } from '../../ui/CategoryChoice.tsx'
import { customProperties } from '../../ui/css.ts'
import { DayField, Select } from '../../ui/fields.tsx'
import { RefreshCw } from '../../ui/icons.ts'
import {
  Badge,
  Empty,
  Filters,
  Loaded,
  MorePages,
  Page,
  Panel,
  Skeleton,
  SourceIssues,
} from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { Candidate } from './Candidate.tsx'
import styles from './emerging.module.css'
import {
  asSentence,
  type DiscoveryRun,
  type EmergingSearch,
  emergingArguments,
  type Backtest as Shape,
  windows,
} from './emerging-search.ts'

const anyWindow = 'any'

/** Apps that are new in charts, moved up or gain ratings, with what speaks for each. */
export function EmergingPage() {
  const search = useSearch({ from: '/emerging' })
  const country = useCountry()
  const navigate = useNavigate({ from: '/emerging' })
  const tracked = useTrackedApps(country)
  // What a card offers, and so its height, depends on it.
  const { isPending: isTrackingUnknown } = useQuery(trackedApps)
  const candidates = useInfiniteQuery({
    ...readPages('list_emerging_ios_competitors', emergingArguments(search, country)),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(
        ({ lastRun, items }) => isUnderWay(lastRun) || items.some(({ intake }) => isUnderWay(intake)),
      )
        ? 1_500
        : false,
  })
  const choose = (next: { [Name in keyof EmergingSearch]: EmergingSearch[Name] | undefined }) =>
    void navigate({ search: (old) => compactSearch({ ...old, ...next }), resetScroll: false })
  return (
    <Page
      title="Emerging"
      subtitle={`Apps new in charts, moving up or gaining ratings, ${countryName(country)} storefront`}
    >
      <Filters label="Filters">
        <CategoryChoice
          value={search.category ?? overallCategory}
          onChange={(value) => choose({ category: value === overallCategory ? undefined : value })}
        />
        <Select
          label="Period"
          options={[
            { id: anyWindow, name: 'Same as last run' },
            ...windows.map((days) => ({ id: days, name: `${days} days` })),
          ]}
          value={search.window ?? anyWindow}
          onChange={(value) => choose({ window: value === anyWindow ? undefined : value })}
        />
        <DayField label="Found since" value={search.since} onChange={(since) => choose({ since })} />
      </Filters>
      <Loaded
        query={{ ...candidates, data: isTrackingUnknown ? undefined : candidates.data }}
        skeleton={
          <div className="stack">
            <Skeleton height={120} />
            <div className="tiles gap-4" style={customProperties({ '--tile': '340px' })}>
              {Array.from({ length: 6 }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
                <Skeleton key={index} height={330} />
              ))}
            </div>
          </div>
        }
      >
        {({ pages }) => {
          const [first] = pages
          const items = pages.flatMap((page) => page.items)
          return (
            <>
              <SourceIssues trouble={first?.trouble ?? []} />
              <LastRun run={first?.lastRun ?? null} search={search} country={country} />
              {items.length === 0 ? (
                <None search={search} looked={first?.lastRun != null} />
              ) : (
                <ul
                  className="tiles gap-4"
                  style={customProperties({ '--tile': '340px' })}
                  aria-label="Emerging apps, highest score first"
                >
                  {items.map((candidate) => (
                    <Candidate
                      key={`${candidate.app.storeId} ${candidate.kind}`}
                      candidate={candidate}
                      tracked={tracked.get(candidate.app.storeId)}
                    />
                  ))}
                </ul>
              )}
              <MorePages query={candidates} shown={items.length} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function None({ search, looked }: { search: EmergingSearch; looked: boolean }) {
  const country = useCountry()
  return (
    <Empty
      title={looked ? 'No emerging apps found' : 'No search for emerging apps yet'}
      action={<LookAgain search={search} country={country} isFirst={!looked} />}
    >
      {looked
        ? 'None of the apps checked is new in charts, moving up or gaining ratings. Try a longer period or an earlier day.'
        : 'Collect charts for several days first, then run the search.'}
    </Empty>
  )
}

/** Days a run looks at unless an address says otherwise. */
const defaultWindow = 14

/** Starts a run with what the filters say. Asked while one is under way, it is that one. */
function LookAgain({
  search,
  country,
  isFirst = false,
  goesOn = false,
}: {
  search: EmergingSearch
  country: Country
  isFirst?: boolean
  goesOn?: boolean
}) {
  const mayWrite = useHasScope('content:write')
  const look = useWrite('discover_emerging_ios_competitors', { changes: ['list_emerging_ios_competitors'] })
  if (!mayWrite) return null
  return (
    <Button
      look={isFirst ? 'primary' : 'plain'}
      icon={<RefreshCw size={14} aria-hidden="true" />}
      isPending={look.isPending || goesOn}
      onPress={() =>
        look.mutate({
          country,
          windowDays: search.window ? Number(search.window) : defaultWindow,
          ...(search.category && { categoryId: search.category }),
        })
      }
    >
      {isFirst ? 'Find emerging apps' : 'Run again'}
    </Button>
  )
}

/** The newest run: how far it is or how it ended, and what became of apps that had moved up before. */
function LastRun({
  run,
  search,
  country,
}: {
  run: DiscoveryRun | null
  search: EmergingSearch
  country: Country
}) {
  if (!run) return null
  const goesOn = isUnderWay(run)
  const at = run.finishedAt ?? run.startedAt ?? run.createdAt
  return (
    <Panel
      title="Last run"
      note={`${momentText(at)} (${timeAgo(at)}), over ${countWithNoun(run.windowDays, 'day')} of charts and ratings`}
      actions={<LookAgain search={search} country={country} goesOn={goesOn} />}
    >
      <div className="stack">
        {(goesOn || run.status === 'failed' || run.status === 'partial') && (
          <WorkProgress work={run} name="Finding emerging apps" />
        )}
        {!goesOn && (
          <p>
            {countWithNoun(run.examined, 'app')} checked, {countWithNoun(run.found, 'emerging app')} found,{' '}
            {count(run.takenIn)} of them being added.
          </p>
        )}
        {run.backtest && <Backtest backtest={run.backtest} />}
      </div>
    </Panel>
  )
}

const verdictInWords: Record<Shape['verdict'], string> = {
  foretells: 'Moving up predicted further gains on these charts',
  'does-not-foretell': 'Moving up does not predict further gains',
  'not-validated': 'Not enough data for a backtest',
}

const consequence: Record<Shape['verdict'], string> = {
  foretells: 'Apps that moved up reached better ranks later more often than other apps.',
  'does-not-foretell': 'Apps that moved up reached better ranks later no more often than other apps.',
  'not-validated': 'Too few past cases to compare. Scores describe the past only.',
}

const groups = [
  ['movedUp', 'Moved up'],
  ['others', 'Other apps in the chart'],
  ['sameRanks', 'Apps at the same ranks'],
  ['belowMedian', 'Apps below their own median'],
] as const

/** The outcomes of apps that had moved up on past days, against three groups of the same charts. */
function Backtest({ backtest: { verdict, from, until, detail, after } }: { backtest: Shape }) {
  return (
    <details className={`${styles.backtest} small`}>
      <summary>
        <Badge tone="plain">{verdictInWords[verdict]}</Badge> <span>{consequence[verdict]}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table */}
      <section className="scrolls" aria-label="Backtest" tabIndex={0}>
        <table>
          <caption className="quiet">
            {from && until
              ? `Later ranks of apps, starting days ${spanText(from, until)}`
              : 'Later ranks: no day has enough chart data before and after it'}
          </caption>
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Better rank</th>
              <th scope="col">Still in chart</th>
              <th scope="col">Median rank change</th>
              <th scope="col">Apps</th>
              <th scope="col">Cases</th>
            </tr>
          </thead>
          {after.map(({ days, ...outcomes }) => (
            <tbody key={days}>
              {groups.map(([group, name]) => {
                const { better, charting, medianChange, apps, flags } = outcomes[group]
                return (
                  <tr key={group}>
                    <th scope="row">{`${name}, ${days} days later`}</th>
                    <td>{better === null ? 'no cases' : percentText(better)}</td>
                    <td>{charting === null ? 'no cases' : percentText(charting)}</td>
                    <td>{medianChange === null ? 'no cases' : changeInWords(medianChange)}</td>
                    <td>{count(apps)}</td>
                    <td>{count(flags)}</td>
                  </tr>
                )
              })}
            </tbody>
          ))}
        </table>
      </section>
      <p className="quiet" dir="auto">
        {asSentence(detail)}.
      </p>
    </details>
  )
}

function changeInWords(places: number): string {
  if (places === 0) return 'no change'
  return `${decimal(Math.abs(places))} ranks ${places < 0 ? 'better' : 'worse'}`
}
