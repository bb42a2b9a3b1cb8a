import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import { count, countryName, countWithNoun, dayText } from '../../evidence/format.ts'
import type { Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { CopyableText } from '../../ui/CopyableText.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { Badge, Empty, Figure, Figures, Filters, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AsoPage } from './AsoHeader.tsx'

type Coverage = ReplyOf<'get_competitor_aso'>['keywordCoverage']
type Keyword = Coverage['keywords'][number]
type Localization = Coverage['localizations'][number]
type Text = Localization['texts'][number]

const from = '/aso/$appId/coverage'

/** Which tracked keywords the own listing holds in each localization that the storefront supports. */
export function CoveragePage() {
  const { appId } = useParams({ from })
  return <AsoPage appId={appId}>{(tracked) => <Covered key={appId} tracked={tracked} />}</AsoPage>
}

function Covered({ tracked }: { tracked: TrackedAppSummary }) {
  const { app, country } = tracked
  const listing = useQuery(
    read('get_competitor_aso', { platform: app.platform, storeId: app.storeId, country }),
  )
  return (
    <Loaded
      query={listing}
      skeleton={
        <div className="stack">
          <Skeleton height={64} />
          <Skeleton height={480} />
          <Skeleton height={320} />
        </div>
      }
    >
      {({ keywordCoverage }) => (
        <>
          {keywordCoverage.told ? (
            <>
              <Standings coverage={keywordCoverage} />
              <Keywords tracked={tracked} coverage={keywordCoverage} />
              <Repeated coverage={keywordCoverage} />
            </>
          ) : (
            <Untold tracked={tracked} />
          )}
          <Room coverage={keywordCoverage} country={country} />
          <p className="quiet">
            Supported localizations:{' '}
            <a href={keywordCoverage.table.source} rel="noreferrer">
              Apple’s table
            </a>
            , as of {dayText(keywordCoverage.table.asOf)}. {keywordCoverage.practice}
          </p>
        </>
      )}
    </Loaded>
  )
}

/** How the own listing is brought; of another's app nobody sees the keyword field. */
const Untold = ({ tracked: { app, role } }: { tracked: TrackedAppSummary }) =>
  role === 'own' ? (
    <Panel title="Your listing is not imported yet">
      <div className="stack">
        <p>
          Apple shows your keyword field only to you. Import the texts of all languages from a fastlane folder,
          or from App Store Connect as JSON or a table. Only this account sees them. The operator of this
          installation runs:
        </p>
        <CopyableText text={`rivalscope import listing fastlane/metadata --app ${app.storeId}`} />
        <p>
          Add <code>--account NAME</code> for an account other than the default one.
        </p>
      </div>
    </Panel>
  ) : (
    <Empty title="Keyword field not available">
      Apple shows it only to the developer of the app. The table below has the public texts.
    </Empty>
  )

function Standings({ coverage: { counts } }: { coverage: Coverage }) {
  return (
    <Figures>
      <Figure name="In one field">{count(counts.oneField)}</Figure>
      <Figure name="Across fields" note="within one localization">
        {count(counts.acrossFields)}
      </Figure>
      <Figure name="Likely" note="in another form of a word">
        {count(counts.likely)}
      </Figure>
      <Figure name="Split" note="across localizations">
        {count(counts.split)}
      </Figure>
      <Figure name="Uncovered">{count(counts.uncovered)}</Figure>
    </Figures>
  )
}

const isUncovered = ({ standing }: Keyword) => standing === 'uncovered' || standing === 'split'

function Keywords({ tracked, coverage }: { tracked: TrackedAppSummary; coverage: Coverage }) {
  const { appId, country } = tracked
  const { uncovered = false } = useSearch({ from })
  const navigate = useNavigate({ from })
  const { keywords, localizations, counts, told } = coverage
  const rows = useMemo(() => (uncovered ? keywords.filter(isUncovered) : keywords), [keywords, uncovered])
  const columns = useMemo(() => columnsOf(country, localizations), [country, localizations])
  return (
    <Panel
      title="Keywords by localization"
      note={`${count(counts.total - counts.uncovered - counts.split)} of ${countWithNoun(counts.total, 'tracked keyword')} covered${told ? ` by the listing imported on ${dayText(told.at)}` : ''}. N: name, S: subtitle, K: keyword field, ~: likely, ( ): some of the words.`}
      flush
    >
      <div className="rule-below pad">
        <Filters label="Filter keywords">
          <Checkbox
            isSelected={uncovered}
            onChange={(chosen) =>
              void navigate({ search: (old) => compactSearch({ ...old, uncovered: chosen || undefined }) })
            }
          >
            Uncovered only
          </Checkbox>
        </Filters>
      </div>
      <DataTable
        label="Keywords by localization"
        rows={rows}
        rowId={({ term }) => term}
        columns={columns}
        file="keyword-coverage"
        pinned
        minWidth={640}
        empty={
          counts.total === 0 ? (
            <Empty
              title="No keywords yet"
              action={
                <LinkButton to="/aso/$appId" params={{ appId }} search={{ country }}>
                  Add keywords
                </LinkButton>
              }
            >
              Add keywords to see which of them the listing covers.
            </Empty>
          ) : (
            <Empty title="Every keyword is covered" />
          )
        }
      />
    </Panel>
  )
}

const standingInWords: Record<Keyword['standing'], string> = {
  'one-field': 'one field',
  'across-fields': 'across fields',
  likely: 'likely',
  split: 'split',
  uncovered: 'uncovered',
}
const tones = {
  'one-field': 'good',
  'across-fields': 'good',
  likely: 'accent',
  split: 'warn',
  uncovered: 'bad',
} as const

/** A column for each localization that is told; those that are not hold nothing. */
const columnsOf = (country: Country, localizations: readonly Localization[]): readonly Column<Keyword>[] => [
  {
    id: 'term',
    name: 'Keyword',
    width: 180,
    value: ({ term }) => term,
    cell: ({ term }) => (
      <Link to="/aso/keywords/$term" params={{ term }} search={{ country }}>
        <bdi>{term}</bdi>
      </Link>
    ),
  },
  {
    id: 'standing',
    name: 'Coverage',
    width: 120,
    value: ({ standing }) => standingInWords[standing],
    cell: ({ standing }) => <Badge tone={tones[standing]}>{standingInWords[standing]}</Badge>,
  },
  ...localizations
    .filter(({ toldAt }) => toldAt !== null)
    .map(
      ({ localization, name }): Column<Keyword> => ({
        id: localization,
        name,
        heading: localization,
        width: 88,
        value: (keyword) => lettersIn(keyword, localization),
        cell: (keyword) => <HeldIn keyword={keyword} localization={localization} />,
      }),
    ),
  {
    id: 'missing',
    name: 'Missing words',
    width: 160,
    value: ({ missing }) => missing.join(' '),
    cell: ({ missing }) =>
      missing.length > 0 ? <bdi>{missing.join(', ')}</bdi> : <span className="quiet">none</span>,
  },
]

const fieldLetters = { name: 'N', subtitle: 'S', 'keyword-field': 'K' } as const
const fieldInWords = { name: 'name', subtitle: 'subtitle', 'keyword-field': 'keyword field' } as const
const heldInWords = {
  'one-field': 'all words in one field',
  'across-fields': 'all words across fields',
  likely: 'likely, in another form of a word',
  'some-words': 'some of the words',
} as const

const heldIn = ({ in: held }: Keyword, code: Localization['localization']) =>
  held.find(({ localization }) => localization === code)

function lettersIn(keyword: Keyword, code: Localization['localization']): string {
  const found = heldIn(keyword, code)
  if (!found) return ''
  const letters = found.fields.map((field) => fieldLetters[field]).join(found.how === 'one-field' ? ' ' : '+')
  return found.how === 'likely' ? `~${letters}` : found.how === 'some-words' ? `(${letters})` : letters
}

function HeldIn({ keyword, localization }: { keyword: Keyword; localization: Localization['localization'] }) {
  const found = heldIn(keyword, localization)
  if (!found) return <span className="hidden">none of the words</span>
  return (
    <span className={found.how === 'some-words' ? 'quiet' : undefined}>
      <span aria-hidden="true">{lettersIn(keyword, localization)}</span>
      <span className="hidden">
        {heldInWords[found.how]}: {found.fields.map((field) => fieldInWords[field]).join(', ')}
      </span>
    </span>
  )
}

const Repeated = ({ coverage: { repeated } }: { coverage: Coverage }) => (
  <Panel
    title="Repeated words"
    note="Within a localization, once is enough. In another localization, a repeated word only helps to combine with the words there."
  >
    {repeated.length === 0 ? (
      <p className="quiet">No repeated words.</p>
    ) : (
      <ul className="stack gap-2">
        {repeated.map(({ word, where, places }) => (
          <li key={word} className="row baseline rows-1">
            <strong>
              <bdi>{word}</bdi>
            </strong>
            <Badge tone={where === 'one-localization' ? 'warn' : 'plain'}>
              {where === 'one-localization' ? 'in one localization' : 'in several localizations'}
            </Badge>
            <span className="quiet">
              {places.map(({ localization, field }) => `${localization} ${fieldInWords[field]}`).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)

/** The localizations of the storefront, with what is left in each text. */
const Room = ({ coverage: { localizations }, country }: { coverage: Coverage; country: Country }) => (
  <Panel
    title="Characters left by localization"
    note={`${countWithNoun(localizations.length, 'localization')} supported in ${countryName(country)}`}
    flush
  >
    <DataTable
      label="Characters left by localization"
      rows={localizations}
      rowId={({ localization }) => localization}
      columns={roomColumns}
      file="localizations"
      minWidth={640}
      empty={null}
    />
  </Panel>
)

const roomColumn = (field: Text['field'], name: string): Column<Localization> => {
  const of = ({ texts }: Localization) => texts.find((text) => text.field === field)
  return {
    id: field,
    name,
    width: 110,
    align: 'end',
    descendingFirst: true,
    value: (localization) => of(localization)?.left ?? null,
    cell: (localization) => <RoomLeft text={of(localization)} />,
  }
}

const roomColumns: readonly Column<Localization>[] = [
  {
    id: 'localization',
    name: 'Localization',
    value: ({ localization }) => localization,
    cell: ({ localization, name, support }) => (
      <span className="row rows-1">
        {name} <span className="quiet">{localization}</span>
        {support === 'default' && <Badge>default</Badge>}
      </span>
    ),
  },
  roomColumn('name', 'Name'),
  roomColumn('subtitle', 'Subtitle'),
  roomColumn('keyword-field', 'Keyword field'),
  {
    id: 'blanks',
    name: 'Spaces around commas',
    width: 150,
    align: 'end',
    value: ({ texts }) => texts.find(({ field }) => field === 'keyword-field')?.blanks ?? null,
    cell: ({ texts }) => {
      const blanks = texts.find(({ field }) => field === 'keyword-field')?.blanks ?? null
      if (blanks === null) return <span className="quiet">no data</span>
      return blanks > 0 ? <Badge tone="warn">{count(blanks)}</Badge> : <span className="quiet">none</span>
    },
  },
]

function RoomLeft({ text }: { text: Text | undefined }) {
  if (!text || text.characters === null || text.left === null) return <span className="quiet">no data</span>
  if (text.characters === 0) return <Badge tone="warn">empty</Badge>
  return <span>{count(text.left)}</span>
}
