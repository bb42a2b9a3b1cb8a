import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { mainSurface } from '../../../src/vocabulary/search-surfaces.ts'
import { read, useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { NotMeasured, ScoreValue } from '../../evidence/Fact.tsx'
import {
  count,
  countryName,
  countWithNoun,
  dayText,
  momentText,
  percentText,
  timeAgo,
} from '../../evidence/format.ts'
import type { Country, SearchSurface } from '../../evidence/shapes.ts'
import { watchesOfKeyword } from '../../evidence/watch-choices.ts'
import { neverSuggestedText, reasonInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { EvidencePanel } from '../../ui/EvidencePanel.tsx'
import { RefreshCw } from '../../ui/icons.ts'
import { Empty, Figure, Figures, Loaded, Page, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { SurfaceNote } from '../../ui/SurfaceNote.tsx'
import { WatchThis } from '../../ui/WatchThis.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import styles from './aso.module.css'
import { Autocomplete } from './keyword/Autocomplete.tsx'
import { PageChanges } from './keyword/PageChanges.tsx'
import { PageOverTime } from './keyword/PageOverTime.tsx'
import { RelatedTerms } from './keyword/RelatedTerms.tsx'
import { comparedDay, ResultPage } from './keyword/ResultPage.tsx'
import { TrackedRanks } from './keyword/TrackedRanks.tsx'
import type { Exploration } from './shapes.ts'
import { TermBox, whyNotAKeyword } from './TermBox.tsx'

/** All that is stored about one keyword in one storefront. */
export function KeywordPage() {
  const { term } = useParams({ from: '/aso/keywords/$term' })
  const trouble = whyNotAKeyword(term)
  return trouble === undefined ? (
    <Explorer term={term} />
  ) : (
    <Page title={term} actions={<TermBox />}>
      <Empty title="Not a keyword">{trouble}</Empty>
    </Page>
  )
}

/** The explorer without a keyword: also where an address ends up whose keyword is a dot, which browsers take out. */
export function KeywordStart() {
  return (
    <Page title="Keyword explorer" actions={<TermBox />}>
      <Empty title="Enter a keyword">
        See its search results, difficulty, autocomplete suggestions and changes.
      </Empty>
    </Page>
  )
}

function Explorer({ term }: { term: string }) {
  const country = useCountry()
  const { all = false, app, surface } = useSearch({ from: '/aso/keywords/$term' })
  const exploration = useQuery({
    // A marked app may stand anywhere on the page.
    ...exploring(term, country, all || app !== undefined, surface),
    // A refresh goes on by itself, and a reload of the page finds it again.
    refetchInterval: ({ state: { data } }) => (isUnderWay(data?.refresh) ? 1_500 : false),
  })
  const { data } = exploration
  return (
    <Page
      title={data?.term ?? term}
      subtitle={
        data?.firstObservedAt
          ? `${countryName(country)}: ${countWithNoun(data.pagesStored, 'snapshot')} since ${dayText(data.firstObservedAt)}`
          : countryName(country)
      }
      actions={
        <>
          <TermBox />
          {data && (
            <WatchThis
              subject={`“${data.term}”`}
              country={country}
              choices={watchesOfKeyword(country, data.term)}
              choosesWhose
            />
          )}
          {data && <RefreshKeyword exploration={data} />}
        </>
      }
    >
      <Loaded query={exploration} skeleton={<Skeleton height={900} />}>
        {(reply) => <Explored exploration={reply} />}
      </Loaded>
    </Page>
  )
}

function RefreshKeyword({ exploration: { term, country, refresh } }: { exploration: Exploration }) {
  const start = useWrite('refresh_aso_keyword', { changes: ['explore_aso_keyword'] })
  if (!useHasScope('content:write')) return null
  return (
    <Button
      icon={<RefreshCw size={14} aria-hidden="true" />}
      isPending={start.isPending}
      isDisabled={isUnderWay(refresh)}
      onPress={() => start.mutate({ query: term, country })}
    >
      {isUnderWay(refresh) ? 'Refreshing' : 'Refresh'}
    </Button>
  )
}

function Explored({ exploration }: { exploration: Exploration }) {
  const { term, country, page, difficulty, autocomplete, volatility, refresh, trouble } = exploration
  const navigate = useNavigate({ from: '/aso/keywords/$term' })
  const hasOthers =
    exploration.surface.name !== mainSurface ||
    exploration.trackedApps.some(({ otherSurfaces }) => otherSurfaces.length > 0)
  return (
    <>
      <SourceIssues trouble={trouble} />
      <SurfaceNote
        surface={exploration.surface}
        onChoose={
          hasOthers
            ? (surface) => void navigate({ search: (before) => ({ ...before, surface }), replace: true })
            : undefined
        }
      />
      {refresh && (isUnderWay(refresh) || refresh.status === 'failed' || refresh.status === 'partial') && (
        <div>
          <WorkProgress work={refresh} name="Keyword refresh" />
          {refresh.expectedSeconds !== null && (
            <p className="quiet">About {countWithNoun(refresh.expectedSeconds, 'second')} left.</p>
          )}
        </div>
      )}
      <Figures>
        <Figure name="Difficulty" note="of 100, higher is harder">
          <ScoreValue score={difficulty} name="Difficulty" />
        </Figure>
        <Figure name="Opportunity" note="of 100, higher is better">
          <ScoreValue score={exploration.opportunity} name="Opportunity" />
        </Figure>
        <Figure name="Autocomplete strength" note="of 100, higher is suggested earlier">
          <ScoreValue score={autocomplete.strength} name="Autocomplete strength" none={neverSuggestedText} />
        </Figure>
        <Figure
          name="Volatility"
          note={
            volatility.from
              ? `${countWithNoun(volatility.comparisons, 'comparison')} since ${dayText(volatility.from)}`
              : 'Needs two snapshots'
          }
        >
          <ScoreValue score={volatility.score} name="Volatility of the top 10 within a week" />
        </Figure>
        <Figure name="Last updated" note={page.state === 'measured' ? page.evidence[0]?.surface : undefined}>
          {page.state === 'not-measured' ? (
            <NotMeasured reason={page.reason} />
          ) : (
            timeAgo(page.evidence[0]?.observedAt ?? '')
          )}
        </Figure>
      </Figures>
      <div className="columns" style={customProperties({ '--columns': 'minmax(0, 2fr) minmax(280px, 1fr)' })}>
        <div className="stack gap-4 shrinks">
          <Results exploration={exploration} />
        </div>
        <div className="stack gap-4 shrinks">
          <TrackedRanks exploration={exploration} />
          <Difficulty difficulty={difficulty} />
          <Autocomplete autocomplete={autocomplete} country={country} />
        </div>
      </div>
      {page.state === 'measured' && (
        <>
          <PageOverTime exploration={exploration} results={page.results} />
          <PageChanges changes={exploration.changes} country={country} />
        </>
      )}
      <RelatedTerms
        related={exploration.related}
        basis={exploration.relatedBasis}
        country={country}
        name={`related-to-${term}-${country}`}
      />
      {page.state !== 'not-measured' && <EvidencePanel evidence={page.evidence} />}
    </>
  )
}

function Results({ exploration }: { exploration: Exploration }) {
  const { page, term, country } = exploration
  const navigate = useNavigate({ from: '/aso/keywords/$term' })
  const { app } = useSearch({ from: '/aso/keywords/$term' })
  if (page.state === 'not-measured')
    return (
      <Panel title="Search results">
        <Empty
          title={page.reason === 'never-collected' ? 'Not collected yet' : 'No confirmed search results'}
          action={<RefreshKeyword exploration={exploration} />}
        >
          {page.reason === 'never-collected'
            ? `Refresh to collect the search results and autocomplete suggestions in ${countryName(country)}.`
            : reasonInWords[page.reason]}
        </Empty>
      </Panel>
    )
  if (page.state === 'absent')
    return (
      <Panel title="Search results">
        <Empty title="No search results" action={<RefreshKeyword exploration={exploration} />}>
          Apple returned no apps, and no earlier snapshot has any.
        </Empty>
      </Panel>
    )
  const { results, depth, requested, stated, evidence } = page
  const before = comparedDay(results)
  const facts = [
    `top ${count(depth)} collected`,
    ...(requested === null ? [] : [`${count(requested)} requested`]),
    ...(stated === null ? [] : [`${count(stated)} in total according to Apple`]),
    before ? `compared with ${dayText(before)}` : 'no earlier snapshot to compare with',
    ...(app && !results.some((result) => result.app.storeId === app)
      ? ['the selected app is not among them']
      : []),
  ]
  return (
    <Panel
      title="Search results"
      note={facts.join(', ')}
      flush
      actions={
        results.length < depth && (
          <Button small onPress={() => void navigate({ search: (before) => ({ ...before, all: true }) })}>
            Show all {count(depth)}
          </Button>
        )
      }
    >
      <ResultPage
        results={results}
        country={country}
        evidence={evidence}
        before={before}
        marked={app}
        name={`${term}-${country}`}
      />
    </Panel>
  )
}

/** Places of the result page that are read at first, and all that a page can have. */
const [someResults, allResults] = [50, 200]

/** The stored data of a keyword. */
const exploring = (query: string, country: Country, all: boolean, surface: SearchSurface | undefined) =>
  read('explore_aso_keyword', {
    query,
    country,
    limit: all ? allResults : someResults,
    ...(surface ? { surface } : {}),
  })

/** The parts of a difficulty, each as a bar, and the figures of the result page. */
function Difficulty({ difficulty }: { difficulty: Exploration['difficulty'] }) {
  if (difficulty.state === 'not-measured')
    return (
      <Panel title="Difficulty">
        <NotMeasured reason={difficulty.reason} />
      </Panel>
    )
  const { value, parts, brand, results, observedAt } = difficulty
  return (
    <Panel
      title={`Difficulty: ${count(value)} of 100`}
      note={`How hard it is to rank in the top 10, based on the first ${countWithNoun(results, 'result')} on ${momentText(observedAt)}.`}
    >
      <ul className="stack small">
        {parts.map(({ name, value, weight, text }) => (
          <li key={name}>
            <div className="row nowrap baseline">
              <strong>{partName(name)}</strong>
              <span className="quiet">{percentText(weight)} of the score</span>
              <span className="pushed">{count(value)}</span>
            </div>
            <meter min={0} max={100} value={value} aria-label={partName(name)} className={styles.difficulty} />
            <p className="quiet">{text}</p>
          </li>
        ))}
      </ul>
      {brand && (
        <p>
          Brand name of <bdi>{brand.name}</bdi>: most people who search for it look for that app. {brand.text}
        </p>
      )}
    </Panel>
  )
}

/** `Rating strength` of `rating-strength`. */
const partName = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
