import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import {
  coverageQuery,
  draftsQuery,
  type ListingDraft,
  type PlanCoverage,
  type PlanLocalization,
} from '../../api/listing-drafts.ts'
import { type ReplyOf, read } from '../../api/operations.ts'
import { count, dayText } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { customProperties } from '../../ui/css.ts'
import { Select } from '../../ui/fields.tsx'
import { Badge, Figure, Figures, Loaded, Panel, Problem, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AsoPage } from './AsoHeader.tsx'
import styles from './aso.module.css'
import { DraftBar, hasTooLong } from './plan/DraftBar.tsx'
import { plannedFields } from './plan/listing-text.ts'
import { Edits, Repeated, Wasted } from './plan/PlanFindings.tsx'
import { coveredOf, PlannedKeywords } from './plan/PlannedKeywords.tsx'
import { withText } from './plan/plan-text.ts'
import { StorePreview } from './plan/StorePreview.tsx'
import { TextEditor } from './plan/TextEditor.tsx'
import { usePlan } from './plan/use-plan.ts'

const from = '/aso/$appId/plan'

/** New texts of a listing in every language of its storefront: what they win, lose and waste before they are in the store. */
export function PlanPage() {
  const { appId } = useParams({ from })
  return <AsoPage appId={appId}>{(tracked) => <Drafts tracked={tracked} />}</AsoPage>
}

function Drafts({ tracked }: { tracked: TrackedAppSummary }) {
  const { draft } = useSearch({ from })
  const drafts = useQuery(draftsQuery({ storeId: tracked.app.storeId, country: tracked.country }))
  return (
    <Loaded query={drafts} skeleton={<PlanSkeleton />}>
      {(all) => <Planning key={`${tracked.appId} ${draft}`} tracked={tracked} drafts={all} />}
    </Loaded>
  )
}

const PlanSkeleton = () => (
  <div className="stack">
    <Skeleton height={190} />
    <Skeleton height={70} />
    <Skeleton height={480} />
    <Skeleton height={360} />
  </div>
)

/** Milliseconds without a key before what is typed is compared. */
const pauseOfTyping = 400

function Planning({ tracked, drafts }: { tracked: TrackedAppSummary; drafts: readonly ListingDraft[] }) {
  const { appId, app, country } = tracked
  const { draft, against } = useSearch({ from })
  const planning = usePlan(appId, draft, drafts)
  const { texts } = planning.plan
  const rested = useRested(JSON.stringify(texts), hasTooLong(texts))
  const isThere = drafts.some(({ draftId }) => draftId === against)
  const asked = { storeId: app.storeId, country, ...(against && isThere ? { against } : {}) }
  const coverage = useQuery(coverageQuery({ ...asked, texts: JSON.parse(rested) as typeof texts }))
  const known = useLast(coverage.data)
  // Texts that the service refuses have to be editable, too.
  const fallback = useQuery({
    ...coverageQuery({ ...asked, texts: {} }),
    enabled: coverage.isError && known === undefined,
  })
  const listing = useQuery(
    read('get_competitor_aso', { platform: app.platform, storeId: app.storeId, country }),
  )
  const workstation = useQuery(read('get_aso_workstation', { appId, windowDays: 7 }))
  return (
    <Loaded
      query={{ ...(fallback.data ? fallback : coverage), data: known ?? fallback.data }}
      skeleton={<PlanSkeleton />}
    >
      {(told) => (
        <>
          <DraftBar tracked={tracked} drafts={drafts} planning={planning} localizations={told.localizations} />
          {coverage.error && <Problem error={coverage.error} retry={() => void coverage.refetch()} />}
          <Standings counts={told.counts} />
          <Texts tracked={tracked} planning={planning} coverage={told} listing={listing.data} />
          <PlannedKeywords
            appId={appId}
            country={country}
            coverage={told}
            tracked={workstation.data?.keywords ?? []}
          />
          <p className="quiet">
            Coverage promises no rank. Localizations of the storefront:{' '}
            <a href={told.table.source} rel="noreferrer">
              Apple's table
            </a>
            , {dayText(told.table.asOf)}. {told.practice}{' '}
            <Link to="/apps/$storeId/listing" params={{ storeId: app.storeId }} search={{ country }}>
              Listing changes, and the ranks after them
            </Link>
            .
          </p>
        </>
      )}
    </Loaded>
  )
}

/** The last value that was there. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/** A text once nobody has typed for a moment; it stays what it was while it must not be used. */
function useRested(text: string, isHeld: boolean): string {
  const [rested, setRested] = useState(isHeld ? '{}' : text)
  useEffect(() => {
    if (isHeld || text === rested) return
    const waiting = setTimeout(() => setRested(text), pauseOfTyping)
    return () => clearTimeout(waiting)
  }, [text, isHeld, rested])
  return rested
}

const Standings = ({ counts: { total, before, after } }: { counts: PlanCoverage['counts'] }) => (
  <Figures>
    <Figure name="Covered" note={`of ${count(total)}; ${count(coveredOf(before))} before`}>
      {count(coveredOf(after))}
    </Figure>
    {figures.map(([standing, name]) => (
      <Figure key={standing} name={name} note={`${count(before[standing])} before`}>
        {count(after[standing])}
      </Figure>
    ))}
  </Figures>
)

const figures = [
  ['one-field', 'In one field'],
  ['across-fields', 'Across fields'],
  ['likely', 'Likely'],
  ['split', 'Split across languages'],
  ['uncovered', 'Uncovered'],
] as const

/** The texts of one language, as a result of a search shows them, and what each edit does. */
function Texts({
  tracked,
  planning: { plan, change },
  coverage: { told, localizations, edits, wasted, repeated },
  listing,
}: {
  tracked: TrackedAppSummary
  planning: ReturnType<typeof usePlan>
  coverage: PlanCoverage
  listing: ReplyOf<'get_competitor_aso'> | undefined
}) {
  const { language } = useSearch({ from })
  const navigate = useNavigate({ from })
  const shown = localizations.find(({ localization }) => localization === language) ?? localizations[0]
  if (!shown) return null
  const code = shown.localization
  const asIs = (field: (typeof plannedFields)[number]) =>
    shown.texts.find((text) => text.field === field)?.text ?? null
  const knownOf = (field: (typeof plannedFields)[number]) => plan.texts[code]?.[field] ?? asIs(field)
  const textOf = (field: (typeof plannedFields)[number]) => knownOf(field) ?? ''
  return (
    <div className="columns" style={customProperties({ '--columns': 'minmax(0, 1fr) minmax(0, 1fr)' })}>
      <div className="stack gap-4 shrinks">
        <Panel
          title="Listing texts"
          note={
            told
              ? `Starts from your listing imported on ${dayText(told.at)}`
              : 'Your listing is not imported yet: unknown texts start empty'
          }
          actions={
            <Select
              label="Language"
              labelHidden
              value={code}
              options={localizations.map(({ localization, name }) => ({
                id: localization,
                name: plan.texts[localization] ? `${name} · edited` : name,
              }))}
              onChange={(chosen) =>
                void navigate({ search: (old) => compactSearch({ ...old, language: chosen }), replace: true })
              }
            />
          }
        >
          {plannedFields.map((field) => (
            <TextEditor
              key={field}
              field={field}
              text={textOf(field)}
              hint={hintOf(shown, field)}
              onChange={(text) => change({ texts: withText(plan.texts, code, field, text, asIs(field)) })}
            />
          ))}
        </Panel>
        <Wasted wasted={wasted} />
        <Repeated repeated={repeated} />
      </div>
      <div className="stack gap-4 shrinks">
        <Edits edits={edits} />
        <Panel
          title="Search result preview"
          note="Up to iPhone width. Apple may cut a few letters earlier or later, and shows previews or screenshots below."
        >
          <StorePreview
            app={tracked.app}
            texts={{ name: textOf('name'), subtitle: knownOf('subtitle') }}
            figures={{
              rating: measured(listing?.ratings.rating),
              ratingCount: measured(listing?.ratings.ratingCount),
            }}
          />
        </Panel>
        {listing && (
          <StoredAdvice
            // Which texts are not known is said beside them.
            advice={listing.audit.advice.filter(({ kind }) => kind !== 'not-readable')}
          />
        )}
      </div>
    </div>
  )
}

type Rating = ReplyOf<'get_competitor_aso'>['ratings']['rating' | 'ratingCount']

const measured = (fact: Rating | undefined) => (fact?.state === 'measured' ? fact.value : undefined)

/** What is known of a text without the plan. */
function hintOf({ texts }: PlanLocalization, field: (typeof plannedFields)[number]): string | undefined {
  const known = texts.find((text) => text.field === field)
  if (known?.from === 'told') return known.text === '' ? 'None in your imported listing' : undefined
  if (known?.from === 'public') return known.text === '' ? 'None in the App Store' : 'As shown in the App Store'
  return field === 'keyword-field'
    ? 'Unknown: visible in App Store Connect only. Import your listing, or paste the field: words separated by commas, without spaces.'
    : 'Unknown for this language. Import your listing to start from it.'
}

type Advice = ReplyOf<'get_competitor_aso'>['audit']['advice'][number]

/** What the audit says of the stored listing. */
const StoredAdvice = ({ advice }: { advice: readonly Advice[] }) => (
  <Panel title="Advice on the current listing">
    {advice.length === 0 ? (
      <p className="quiet">No issues found</p>
    ) : (
      <ul className={`${styles.advice} stack gap-2`}>
        {advice.map(({ kind, field, weight, text }) => (
          <li key={`${kind} ${field} ${text}`}>
            <Badge tone={weight === 'high' ? 'bad' : weight === 'medium' ? 'warn' : 'plain'}>{weight}</Badge>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
