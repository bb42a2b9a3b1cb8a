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
      subtitle={`Apps new in the charts of ${countryName(country)}, moved up or gaining ratings, by what is stored`}
    >
      <Filters label="Which candidates">
        <CategoryChoice
          value={search.category ?? overallCategory}
          onChange={(value) => choose({ category: value === overallCategory ? undefined : value })}
        />
        <Select
          label="Days looked at"
          options={[
            { id: anyWindow, name: 'As last looked' },
            ...windows.map((days) => ({ id: days, name: `${days} days` })),
          ]}
          value={search.window ?? anyWindow}
          onChange={(value) => choose({ window: value === anyWindow ? undefined : value })}
        />
        <DayField label="Discovered since" value={search.since} onChange={(since) => choose({ since })} />
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
                  aria-label="Candidates, strongest first"
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
      title={looked ? 'No candidates' : 'Nobody has looked for emerging apps here yet'}
      action={<LookAgain search={search} country={country} isFirst={!looked} />}
    >
      {looked
        ? 'What was looked at shows no app that is new in charts, moved up or gains ratings, or an earlier day is needed above.'
        : 'Charts have to be stored first, over some days: rivalscope collect charts. Then look for them.'}
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
      {isFirst ? 'Look for emerging apps' : 'Look again'}
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
          <WorkProgress work={run} name="Looking for emerging apps" />
        )}
        {!goesOn && (
          <p>
            {countWithNoun(run.examined, 'app')} examined, {countWithNoun(run.found, 'candidate')} kept,{' '}
            {count(run.takenIn)} of them being taken in.
          </p>
        )}
        {run.backtest && <Backtest backtest={run.backtest} />}
      </div>
    </Panel>
  )
}

const verdictInWords: Record<Shape['verdict'], string> = {
  foretells: 'Moves up went on, on these charts',
  'does-not-foretell': 'A move up is no forecast',
  'not-validated': 'Too few moves up to look back at',
}

const consequence: Record<Shape['verdict'], string> = {
  foretells: 'Apps that had moved up went on to better ranks more often than those that had not.',
  'does-not-foretell': 'Apps that had moved up went on to better ranks no more often than those that had not.',
  'not-validated': 'Too few past cases to compare: take what is said of an app as what happened.',
}

const groups = [
  ['movedUp', 'Had moved up'],
  ['others', 'Other apps of the chart'],
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
      <section className="scrolls" aria-label="Scores" tabIndex={0}>
        <table>
          <caption className="quiet">
            {from && until
              ? `What became of apps, judged ${spanText(from, until)}`
              : 'What became of apps: no day had enough snapshots before and after it'}
          </caption>
          <thead>
            <tr>
              <th scope="col">Apps</th>
              <th scope="col">Better rank</th>
              <th scope="col">Still charting</th>
              <th scope="col">Median change</th>
              <th scope="col">Different apps</th>
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
                    <td>{better === null ? 'none to judge' : percentText(better)}</td>
                    <td>{charting === null ? 'none to judge' : percentText(charting)}</td>
                    <td>{medianChange === null ? 'none to judge' : changeInWords(medianChange)}</td>
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
        {detail}
      </p>
    </details>
  )
}

function changeInWords(places: number): string {
  if (places === 0) return 'same place'
  return `${decimal(Math.abs(places))} places ${places < 0 ? 'better' : 'worse'}`
}
