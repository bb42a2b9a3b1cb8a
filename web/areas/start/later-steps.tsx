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
          ? `In ${countWithNoun(placed, 'stored chart')}`
          : state === 'done'
            ? 'In the schedule: the first day comes with its next turn'
            : 'Collected every day, once they are in the schedule'
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
    { changes: [], done: () => 'These charts are collected every day from now on' },
  )
  return (
    <>
      <p>
        The charts of {countryName(country)}
        {category && ` and of ${category} there`} are not in the schedule of this installation
        {operates
          ? '.'
          : '. Its operator adds them with these lines of the configuration file, or collects them once:'}
      </p>
      {operates && mayWrite && (
        <div>
          <Button look="primary" isPending={keep.isPending} onPress={() => keep.mutate()}>
            Collect them every day
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
  const add = useChange(addWatch, { changes: ['watches'], done: () => 'Watched from now on' })
  return (
    <Step
      title="Alerts"
      state={watches.data && (ofApp.length > 0 ? 'done' : 'todo')}
      note={
        ofApp.length > 0
          ? countWithNoun(ofApp.length, 'watch', 'watches')
          : 'Told when something moves, here and where you like'
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
                Watch the ranks of my keywords
              </Button>
            )}
            <WatchThis
              title="Watch competitors…"
              subject="competitors"
              country={country}
              choices={watchesOfApps(country, 'rivals')}
            />
            <Link to="/alerts">Where it is told</Link>
          </div>
        )}
      </Loaded>
    </Step>
  )
}
