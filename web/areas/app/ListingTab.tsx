import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { counted, dayText } from '../../evidence/format.ts'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { Empty, Filters, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AskFor } from './AskFor.tsx'
import styles from './app.module.css'
import { useAppOfPage } from './app-of-page.ts'
import { listingFieldInWords } from './choices.ts'
import { ListingAudit } from './ListingAudit.tsx'
import { ChangeCard } from './ListingChange.tsx'
import { RanksOverChanges, useOverallRanks } from './ListingRanks.tsx'
import { ListingRatings } from './ListingRatings.tsx'
import { OwnTroubles } from './OwnTroubles.tsx'
import { listingOf } from './tab-reads.ts'

/** How the listing changed with the ranks beneath it, what its texts use of their limits, and its ratings. */
export function ListingTab() {
  const { storeId, country } = useAppOfPage()
  const { field } = useSearch({ from: '/apps/$storeId/listing' })
  const navigate = useNavigate({ from: '/apps/$storeId/listing' })
  const aso = useQuery(listingOf(storeId, country))
  const timeline = aso.data?.timeline
  const ranks = useOverallRanks(timeline)
  return (
    <Loaded query={aso} skeleton={<Waiting />}>
      {({ timeline: all, listingObserved, trouble, audit, evidence, ratings }) => {
        const changed = all.flatMap((change) => change.fields.map((of) => of.field))
        const words = wordsOf(field ? [...changed, field] : changed)
        const changes = field ? all.filter((change) => change.fields.some((of) => of.field === field)) : all
        return (
          <>
            <OwnTroubles trouble={trouble} />
            {all.length > 0 && <RanksOverChanges ranks={ranks} changes={changes} />}
            {all.length > 1 && (
              <Filters>
                <FilterSelect
                  label="Changes of"
                  any="Every field"
                  values={Object.keys(words)}
                  words={words}
                  value={field}
                  onChange={(value) =>
                    void navigate({ search: (search) => compactSearch({ ...search, field: value }) })
                  }
                />
              </Filters>
            )}
            <Panel
              title="Listing history"
              note={lookedText(listingObserved)}
              actions={all.length > 0 && <AskFor kinds={['record']} />}
            >
              {changes.length > 0 ? (
                <>
                  <p className={`${styles.caution} small pad-2-3 sunken`}>{changes[0]?.caution}</p>
                  <ol className={`${styles.changes} ruled`}>
                    {changes.map((change, index) => (
                      <ChangeCard key={change.firstSeenAt} change={change} ranks={ranks} opens={index === 0} />
                    ))}
                  </ol>
                </>
              ) : all.length > 0 ? (
                <Empty title="No change of this field was seen">Choose every field.</Empty>
              ) : (
                <Empty
                  title={
                    listingObserved.days === 0
                      ? 'Nobody has looked at this listing yet'
                      : 'No change of the listing was seen'
                  }
                  action={<AskFor kinds={['record']} />}
                >
                  {listingObserved.days < 2
                    ? 'It takes observations on two days to see a change.'
                    : 'What changed and changed back between two looks is not seen either.'}
                </Empty>
              )}
            </Panel>
            <ListingAudit audit={audit} evidence={evidence} />
            <ListingRatings ratings={ratings} evidence={evidence} />
          </>
        )
      }}
    </Loaded>
  )
}

/** Fields in words, in alphabetical order. */
const wordsOf = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    fields
      .map((field) => [field, listingFieldInWords(field)] as const)
      .sort(([, one], [, other]) => one.localeCompare(other)),
  )

function lookedText({
  days,
  firstAt,
  lastAt,
}: {
  days: number
  firstAt: string | null
  lastAt: string | null
}) {
  if (firstAt === null || lastAt === null) return 'Nobody has looked at the listing in this storefront yet.'
  return `Looked at on at least ${counted(days, 'day')}, from ${dayText(firstAt)} to ${dayText(lastAt)}.`
}

const Waiting = () => (
  <div className="stack">
    <Skeleton height={340} />
    <Skeleton height={520} />
    <Skeleton height={400} />
  </div>
)
