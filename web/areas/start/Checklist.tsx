import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call, invalidateReads, read, useWrite } from '../../api/operations.ts'
import { readTogether } from '../../api/read-together.ts'
import { useHasScope } from '../../api/session.ts'
import { appLabelOf } from '../../evidence/app-label.ts'
import { count, countryName, countWithNoun, timeAgo } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { comparedRivalsOf } from '../../evidence/tracked.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Problem, Skeleton } from '../../ui/parts.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { Counts, type Refused, RefusedTerms } from '../aso/AddKeywords.tsx'
import { type AddedTerms, addTerms } from '../aso/add-terms.ts'
import { keywordChanges } from '../aso/keyword-changes.ts'
import {
  callsFor,
  foldedTerm,
  keywordsPerApp,
  type PastedTerm,
  pastedTerms,
  writtenOut,
} from '../aso/pasted-terms.ts'
import { useAdImport } from '../creatives/use-ad-import.ts'
import { Alerts, Charts } from './later-steps.tsx'
import { type OfApp, Step } from './Step.tsx'
import styles from './start.module.css'

/** While apps are taken in, what rests on their texts and pages is read anew this often. */
const everyMs = 3_000
/** Pages of apps are read by a job of their own, about which no reply tells: so long after tracking they are waited for. */
const pagesWithinMs = 180_000

/** What to do in the first hour, and what of it is done. All of it follows from what is stored, so that it can be left at any time. */
export function Checklist({ tracked, apps }: OfApp) {
  const { app, intake, country } = tracked
  const isThere = intake === null
  return (
    <ol className={`${styles.steps} stack gap-4`}>
      <Step
        title="My app"
        state={isThere ? 'done' : intake.status === 'failed' ? 'failed' : 'running'}
        note={isThere ? `Tracked in ${countryName(country)}` : undefined}
      >
        {!isThere && <WorkProgress work={intake} name="App Store lookup" />}
        {intake?.status === 'failed' && (
          <p>
            The app is tracked, but the App Store lookup failed. <Link to="/aso">Remove it</Link> and choose
            another app or storefront.
          </p>
        )}
        {isThere && <AppLink app={app} country={country} />}
      </Step>
      <Competitors tracked={tracked} apps={apps} />
      <Keywords tracked={tracked} apps={apps} />
      <AppStoreAds tracked={tracked} />
      <Charts tracked={tracked} />
      <Alerts tracked={tracked} />
      <Step title="Results" note="Ranks, changes and the keyword gap to competitors">
        <div className="row">
          <LinkButton to="/aso/$appId" params={{ appId: tracked.appId }} search={{ country }} look="primary">
            Keywords of my app
          </LinkButton>
          <LinkButton to="/">Home</LinkButton>
        </div>
      </Step>
    </ol>
  )
}

const isRecent = ({ trackedAt }: TrackedAppSummary) => Date.now() - Date.parse(trackedAt) < pagesWithinMs
/** Most apps that are offered as competitors. */
const mostOffered = 6

/** Similar apps, each to be added as a competitor of this app. */
function Competitors({ tracked, apps }: OfApp) {
  const { appId, app, country, intake } = tracked
  const mayWrite = useHasScope('content:write')
  const queries = useQueryClient()
  const [adding, setAdding] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const similar = useQuery({
    ...readTogether('get_similar_competitors', { storeId: app.storeId, country, limit: 25 }),
    enabled: intake === null,
    refetchInterval: ({ state: { data } }) => (data?.items.length === 0 && isRecent(tracked) ? everyMs : false),
  })
  const rivals = comparedRivalsOf(tracked, apps)
  const here = new Set(apps.filter((one) => one.country === country).map((one) => one.app.storeId))
  const offered = (similar.data?.items ?? []).filter((one) => !here.has(one.app.storeId)).slice(0, mostOffered)
  const goingOn = rivals.filter((rival) => isUnderWay(rival.intake))
  const waiting = goingOn.find((rival) => rival.intake?.waitingForWorker)
  const add = async (storeIds: readonly string[], pressed: string) => {
    setAdding(pressed)
    setFailure(undefined)
    try {
      for (const storeId of storeIds)
        await call('track_aso_app', { app: storeId, country, role: 'rival', rivalOf: appId })
    } catch (error) {
      setFailure(error)
    }
    await invalidateReads(queries, keywordChanges)
    setAdding(undefined)
  }
  return (
    <Step
      title="Competitors"
      state={goingOn.length > 0 ? 'running' : rivals.length > 0 ? 'done' : 'todo'}
      note={
        rivals.length > 0
          ? countWithNoun(rivals.length, 'competitor')
          : 'Apps similar to yours, by App Store recommendations and listing texts'
      }
    >
      {goingOn.length > 0 && !waiting && (
        <p role="status">Looking up {countWithNoun(goingOn.length, 'app')} in the App Store.</p>
      )}
      {waiting?.intake && <WorkProgress work={waiting.intake} name="App Store lookup" />}
      {intake === null && similar.isPending && <Skeleton height={120} />}
      {similar.error && <Problem error={similar.error} />}
      {similar.data && offered.length === 0 && rivals.length === 0 && (
        <p className="quiet" role="status">
          {isRecent(tracked)
            ? 'Collecting the App Store page. Similar apps will appear here.'
            : 'No similar apps found. Add competitors by name under ASO.'}
        </p>
      )}
      {offered.length > 0 && (
        <ul className={`${styles.offered} tiles gap-2`} aria-label="Similar apps">
          {offered.map((one) => (
            <li key={one.app.storeId} className="row nowrap between">
              <AppLink app={appLabelOf(one.app)} country={country} />
              {mayWrite && (
                <Button
                  small
                  aria-label={`Add as competitor: ${one.app.name ?? one.app.storeId}`}
                  isPending={adding === one.app.storeId}
                  isDisabled={adding !== undefined}
                  onPress={() => void add([one.app.storeId], one.app.storeId)}
                >
                  Add
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {failure !== undefined && <Problem error={failure} />}
      <div className="row">
        {mayWrite && offered.length > 1 && (
          <Button
            look={rivals.length === 0 ? 'primary' : 'plain'}
            isPending={adding === 'all'}
            isDisabled={adding !== undefined}
            onPress={() =>
              void add(
                offered.map((one) => one.app.storeId),
                'all',
              )
            }
          >
            Add all {count(offered.length)}
          </Button>
        )}
        <Link to="/aso" search={{ country }}>
          Add another app
        </Link>
      </div>
    </Step>
  )
}

/** Keywords that are ticked at first, and from which relevance on: half of their words stand in the description. */
const tickedAtFirst = 10
const relevantFrom = 20

/** Suggested keywords, each to be added, and a refresh that searches them. */
function Keywords({ tracked, apps }: OfApp) {
  const { appId, country, intake, keywordCount, refresh } = tracked
  const mayWrite = useHasScope('content:write')
  const rivals = comparedRivalsOf(tracked, apps)
  const isComing = rivals.some((rival) => isUnderWay(rival.intake))
  const isRefreshing = isUnderWay(refresh)
  const workstation = useQuery({
    ...read('get_aso_workstation', { appId, windowDays: 7 }),
    enabled: intake === null,
    refetchInterval: isComing || isRecent(rivals[0] ?? tracked) ? everyMs : false,
  })
  const queries = useQueryClient()
  useEffect(() => {
    if (!isComing && !isRefreshing) void invalidateReads(queries, ['get_aso_workstation'])
  }, [queries, isComing, isRefreshing])
  const { suggestions = [], carriedByName = [] } = workstation.data ?? {}
  const relevances = new Map(
    suggestions.map(({ term, relevance }) => [term, relevance.state === 'estimated' ? relevance.value : 0]),
  )
  const offered = [...new Set([...suggestions, ...carriedByName].map(({ term }) => term))].sort(
    (one, other) => (relevances.get(other) ?? 100) - (relevances.get(one) ?? 100),
  )
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [text, setText] = useState('')
  // What was searched once is chosen by hand from then on.
  const isTicked = (term: string, index: number) =>
    changed.get(term) ??
    (keywordCount === 0 && index < tickedAtFirst && (relevances.get(term) ?? 100) >= relevantFrom)
  const has = new Set((workstation.data?.keywords ?? []).map(({ term }) => foldedTerm(term)))
  const pasted = pastedTerms(text, has, country)
  const typed = [...pasted.fresh, ...pasted.noted]
  const alsoTyped = new Set(typed.map(({ term }) => foldedTerm(term)))
  const ticked = offered.filter((term, index) => isTicked(term, index) && !alsoTyped.has(foldedTerm(term)))
  const chosen: PastedTerm[] = [...ticked.map((term) => ({ term })), ...typed]
  const [adding, setAdding] = useState(false)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [failure, setFailure] = useState<unknown>()
  const add = async () => {
    setAdding(true)
    setRefused([])
    setFailure(undefined)
    const beyond = text.slice(text.length - pasted.beyond)
    let added = 0
    const told = ({ reply, left }: AddedTerms) => {
      added += reply.added.length
      setRefused((before) => [...before, ...reply.refused])
      // What was added leaves the box and the ticks; what is yet to be added stays where it was.
      const isTyped = ({ term }: PastedTerm) => alsoTyped.has(foldedTerm(term))
      const rest = writtenOut([...pasted.tooLong.map((term) => ({ term })), ...left.filter(isTyped)])
      setText([...rest, ...(beyond ? [beyond] : [])].join('\n'))
      setChanged(new Map(left.filter((one) => !isTyped(one)).map(({ term }) => [term, true])))
    }
    try {
      await addTerms(appId, chosen, told)
      const elsewhere = pasted.elsewhere > 0 && `${count(pasted.elsewhere)} for another storefront skipped`
      notify({
        kind: 'done',
        text: [`${countWithNoun(added, 'keyword')} added`, elsewhere].filter(Boolean).join(', '),
      })
      search.mutate({ appId })
    } catch (error) {
      setFailure(error)
    }
    await invalidateReads(queries, keywordChanges)
    setAdding(false)
  }
  const search = useWrite('refresh_aso_app', { changes: keywordChanges })
  const isSearched = keywordCount > 0 && (refresh !== null || tracked.visibility.measured > 0)
  return (
    <Step
      title="Keywords"
      state={isRefreshing ? 'running' : refresh?.status === 'failed' ? 'failed' : isSearched ? 'done' : 'todo'}
      note={
        keywordCount > 0
          ? `${countWithNoun(keywordCount, 'keyword')}${refresh?.finishedAt ? `, updated ${timeAgo(refresh.finishedAt)}` : ''}`
          : 'One search per keyword, for your app and all competitors'
      }
    >
      {refresh && (isRefreshing || refresh.status !== 'succeeded') && (
        <WorkProgress work={refresh} name="Keyword search" />
      )}
      {isRefreshing && refresh?.expectedSeconds != null && (
        <p className="quiet small">About {countWithNoun(refresh.expectedSeconds, 'second')} left.</p>
      )}
      {offered.length === 0 && intake === null && (
        <p className="quiet">
          {isComing
            ? 'Collecting the listings of your competitors. Suggestions will appear here.'
            : rivals.length > 0
              ? 'No more suggestions. Enter keywords below.'
              : 'No suggestions yet. Add competitors first, or enter keywords below.'}
        </p>
      )}
      {offered.length > 0 && mayWrite && (
        <ul className={`${styles.offered} tiles gap-2`} aria-label="Suggested keywords">
          {offered.map((term, index) => (
            <li key={term}>
              <Checkbox
                isSelected={isTicked(term, index)}
                onChange={(on) => setChanged((old) => new Map(old).set(term, on))}
              >
                <bdi>{term}</bdi>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && intake === null && (
        <>
          <TextField
            label="More keywords"
            description="One per line, or separated by commas"
            lines={2}
            value={text}
            onChange={setText}
            isReadOnly={adding}
          />
          {text.trim() !== '' && (
            <Counts {...pasted} calls={callsFor(typed).length} room={keywordsPerApp - has.size} />
          )}
          <RefusedTerms refused={refused} />
          {failure !== undefined && <Problem error={failure} />}
          <div className="row">
            <Button
              look={isSearched ? 'plain' : 'primary'}
              isDisabled={chosen.length === 0}
              isPending={adding || search.isPending}
              onPress={() => void add()}
            >
              {chosen.length === 0
                ? 'Add and search'
                : `Add ${countWithNoun(chosen.length, 'keyword')} and search`}
            </Button>
            {keywordCount > 0 && !isRefreshing && (
              <Button isPending={search.isPending} onPress={() => search.mutate({ appId })}>
                Refresh
              </Button>
            )}
          </div>
        </>
      )}
    </Step>
  )
}

/** Asks Apple's ad repository for the ads of the app; it needs no credential. */
function AppStoreAds({ tracked: { app, country } }: Pick<OfApp, 'tracked'>) {
  const mayWrite = useHasScope('content:write')
  const { run, ask, isPending } = useAdImport()
  const { data } = useQuery(
    readTogether('search_paid_ads', { platform: 'apple', competitor: [app.storeId], limit: 1 }),
  )
  const found = data?.total.value ?? 0
  const notes = run?.coverage.notes ?? data?.coverage.flatMap((of) => of.notes)
  const absent = notes?.find(({ code }) => code === 'absent')
  const state = isUnderWay(run)
    ? 'running'
    : run?.status === 'failed'
      ? 'failed'
      : found > 0 || absent
        ? 'done'
        : 'todo'
  return (
    <Step
      title="App Store ads"
      state={state}
      note={
        found > 0 ? `${countWithNoun(found, 'ad')} collected` : 'From Apple’s ad repository, EU countries only'
      }
    >
      {run && (isUnderWay(run) || run.status === 'failed') && (
        <WorkProgress work={run} name="Apple’s ad repository" />
      )}
      {absent && <p className="small">{absent.message}</p>}
      {mayWrite && (
        <div className="row">
          <Button
            look={state === 'todo' ? 'primary' : 'plain'}
            isPending={isPending || isUnderWay(run)}
            onPress={() => ask({ platform: 'apple', apps: [app.storeId] })}
          >
            Request App Store ads
          </Button>
          {found > 0 && (
            <Link to="/apps/$storeId/ads" params={{ storeId: app.storeId }} search={{ country }}>
              View ads
            </Link>
          )}
        </div>
      )}
    </Step>
  )
}
