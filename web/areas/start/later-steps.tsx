import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { readTogether } from '../../api/read-together.ts'
import { changeOfPages, readOfPages, useHasScope, useOperates } from '../../api/session.ts'
import { addWatch, useChange, type Watch, watchesQuery } from '../../api/watches.ts'
import { countryName, countWithNoun } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { watchesOfApps } from '../../evidence/watch-choices.ts'
import { isSameWatch } from '../../evidence/watches.ts'
import { overallCategory } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyableText } from '../../ui/CopyableText.tsx'
import { Loaded, Skeleton } from '../../ui/parts.tsx'
import { WatchThis } from '../../ui/WatchThis.tsx'
import { type OfApp, Step } from './Step.tsx'

/** What `/collecting` says of charts; the rest of the schedule is carried as it is. */
interface Collecting {
  schedule: { charts: readonly { countries: readonly string[]; categories: readonly number[] }[] }
  changedAt: string | null
}

const collectingKey = ['collecting'] as const
const collectingQuery = queryOptions({
  queryKey: collectingKey,
  queryFn: ({ signal }) => readOfPages<Collecting>('/collecting', signal),
})

/** The schedule of charts. It is the whole installation's: who operates it changes it here, anybody else has the lines to pass on. */
export function Charts({ tracked: { app, country, intake } }: Pick<OfApp, 'tracked'>) {
  const record = useQuery({
    ...readTogether('get_competitor', { storeId: app.storeId, country }),
    enabled: intake === null,
  })
  const collecting = useQuery(collectingQuery)
  const category =
    record.data?.primaryCategory.state === 'measured' ? record.data.primaryCategory.value : undefined
  const categories = [Number(overallCategory), ...(category ? [Number(category.categoryId)] : [])]
  const isPlanned = (categoryId: number) =>
    collecting.data?.schedule.charts.some(
      (one) => one.countries.includes(country) && one.categories.includes(categoryId),
    )
  const missing = categories.filter((categoryId) => !isPlanned(categoryId))
  const placed = record.data?.chartPositions.length ?? 0
  const state = collecting.data && record.data && (missing.length === 0 ? 'done' : 'todo')
  return (
    <Step
      title="Charts"
      state={state}
      note={
        placed > 0
          ? `Ranked in ${countWithNoun(placed, 'chart')}`
          : state === 'done'
            ? 'Scheduled. The first data comes with the next run.'
            : 'Collected daily once scheduled'
      }
    >
      {intake === null && (
        <Loaded query={record} skeleton={<Skeleton height={60} />}>
          {() => (
            <Loaded query={collecting} skeleton={<Skeleton height={60} />}>
              {(plan) =>
                missing.length > 0 && (
                  <NotScheduled
                    country={country}
                    category={category?.name}
                    missing={missing}
                    collecting={plan}
                  />
                )
              }
            </Loaded>
          )}
        </Loaded>
      )}
    </Step>
  )
}

/** Charts that the schedule lacks, and how they come into it. */
function NotScheduled({
  country,
  category,
  missing,
  collecting: { schedule, changedAt },
}: {
  country: Country
  category: string | undefined
  missing: readonly number[]
  collecting: Collecting
}) {
  const queries = useQueryClient()
  const operates = useOperates()
  const mayWrite = useHasScope('content:write')
  const keep = useChange(
    async () => {
      const charts = [...schedule.charts, { countries: [country], categories: missing }]
      const kept = await changeOfPages<Collecting>('PUT', '/collecting/schedule', {
        schedule: { ...schedule, charts },
        before: changedAt,
      })
      queries.setQueryData(collectingKey, kept)
    },
    { changes: [], done: () => 'Charts scheduled for daily collection' },
  )
  const names = missing.map((id) => (id === Number(overallCategory) ? 'overall' : category))
  return (
    <>
      <p>
        Not scheduled yet on this installation: {names.join(' and ')} charts in {countryName(country)}.
        {!operates &&
          ' The operator can add these lines to the configuration file, or collect the charts once:'}
      </p>
      {operates && mayWrite && (
        <div>
          <Button look="primary" isPending={keep.isPending} onPress={() => keep.mutate()}>
            Collect daily
          </Button>
        </div>
      )}
      {!operates && (
        <>
          <CopyableText
            text={`schedule:\n  charts:\n    - countries: [${country}]\n      categories: [${missing.join(', ')}]`}
          />
          <CopyableText
            text={`rivalscope collect charts --country ${country} --category ${missing.join(' ')}`}
          />
        </>
      )}
    </>
  )
}

/** One watch, and the way to more of them and to where they are told. */
export function Alerts({ tracked: { app, country } }: Pick<OfApp, 'tracked'>) {
  const mayWrite = useHasScope('content:write')
  const watches = useQuery(watchesQuery)
  const mine: Watch = { kind: 'top', app: app.storeId, country, in: 'keywords', places: [3, 10, 50] }
  const ofApp = (watches.data ?? []).filter(
    ({ watch }) =>
      'app' in watch &&
      (watch.app === app.storeId || ['own', 'rivals', 'tracked'].includes(watch.app)) &&
      (!('country' in watch) || watch.country === country),
  )
  const add = useChange(addWatch, { changes: ['watches'], done: () => 'Watch added' })
  return (
    <Step
      title="Alerts"
      state={watches.data && (ofApp.length > 0 ? 'done' : 'todo')}
      note={
        ofApp.length > 0
          ? countWithNoun(ofApp.length, 'watch', 'watches')
          : 'Get notified of changes by email, chat or webhook'
      }
    >
      <Loaded query={watches} skeleton={<Skeleton height={36} />}>
        {() => (
          <div className="row">
            {mayWrite && !ofApp.some(({ watch }) => isSameWatch(watch, mine)) && (
              <Button
                look={ofApp.length > 0 ? 'plain' : 'primary'}
                isPending={add.isPending}
                onPress={() => add.mutate(mine)}
              >
                Watch my keyword ranks
              </Button>
            )}
            <WatchThis
              title="Watch competitors…"
              subject="competitors"
              country={country}
              choices={watchesOfApps(country, 'rivals')}
            />
            <Link to="/alerts">Alerts and channels</Link>
          </div>
        )}
      </Loaded>
    </Step>
  )
}
