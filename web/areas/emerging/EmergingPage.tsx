import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readPages } from '../../api/operations.ts'
import { overallCategory } from '../../evidence/categories.ts'
import { useCountry } from '../../evidence/country.ts'
import { countryName } from '../../evidence/format.ts'
import { useTrackedApps } from '../../evidence/tracked.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { CategoryChoice } from '../../ui/CategoryChoice.tsx'
import { css } from '../../ui/css.ts'
import { DayField, Select } from '../../ui/fields.tsx'
import { Empty, Filters, Loaded, MorePages, Page, Skeleton, Troubles } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { Candidate } from './Candidate.tsx'
import { type EmergingSearch, emergingArguments, windows } from './emerging-search.ts'
import { LastRun, LookAgain } from './LastRun.tsx'

const anyWindow = 'any'

/** Apps that are new in charts, moved up or gain ratings, with what speaks for each. */
export function EmergingPage() {
  const search = useSearch({ from: '/emerging' })
  const country = useCountry()
  const navigate = useNavigate({ from: '/emerging' })
  const tracked = useTrackedApps(country)
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
            { id: anyWindow, name: 'Any' },
            ...windows.map((days) => ({ id: days, name: `${days} days` })),
          ]}
          value={search.window ?? anyWindow}
          onChange={(value) => choose({ window: value === anyWindow ? undefined : value })}
        />
        <DayField label="Discovered since" value={search.since} onChange={(since) => choose({ since })} />
      </Filters>
      <Loaded
        query={candidates}
        skeleton={
          <div className="stack">
            <Skeleton height={120} />
            <div className="tiles gap-4" style={css({ '--tile': '340px' })}>
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
              <Troubles trouble={first?.trouble ?? []} />
              <LastRun run={first?.lastRun ?? null} search={search} country={country} />
              {items.length === 0 ? (
                <None search={search} looked={first?.lastRun != null} />
              ) : (
                <ul
                  className="tiles gap-4"
                  style={css({ '--tile': '340px' })}
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
