import { Link, useSearch } from '@tanstack/react-router'
import { useReplies } from '../../api/replies.ts'
import { Measured, Movement, NotInTop } from '../../evidence/Fact.tsx'
import { count, countryName, countWithNoun, dayText, signedNumber, spanText } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { chartInWords, roleInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Badge } from '../../ui/parts.tsx'
import { listingFieldInWords } from '../app/choices.ts'
import styles from './home.module.css'
import {
  biggestFirst,
  type ChartMove,
  calmListing,
  chartMoves,
  chartsCapturedUntil,
  chartWindowOf,
  type FieldChange,
  hasClimbed,
  type KeywordMove,
  keywordMoves,
  type ListingMove,
  listingMoves,
  listingObservedUntil,
  type Place,
  pagesCapturedUntil,
  placesClimbed,
  type RankMove,
  type SinceDays,
  withLastLook,
} from './moves.ts'
import { MoveRow, Section, spanNote } from './Section.tsx'

interface Props {
  apps: readonly TrackedAppSummary[]
  days: SinceDays
}

/** Ranks of own apps for their keywords. */
export function KeywordMoves({ apps, days }: Props) {
  const { all = false } = useSearch({ from: '/' })
  const withKeywords = apps.filter(({ keywordCount }) => keywordCount > 0)
  const { replies, reading } = useReplies(
    'get_aso_workstation',
    withKeywords.map(({ appId }) => ({ appId, windowDays: 7 })),
  )
  const looked = withLastLook(withKeywords, replies, pagesCapturedUntil)
  return (
    <Section
      title="Keyword ranks of my apps"
      reading={reading}
      rows={biggestFirst(looked.apps.flatMap((one) => keywordMoves(one, days)))}
      note={spanNote(looked, days)}
      row={(move) => <KeywordRow key={`${move.tracked.appId} ${move.term}`} move={move} />}
      all={all}
      none={
        looked.apps.length === 0
          ? 'No search results collected for keywords of my apps yet.'
          : 'No rank changes for keywords of my apps.'
      }
    />
  )
}

function KeywordRow({ move }: { move: KeywordMove }) {
  const { tracked, term, surface } = move
  return (
    <MoveRow
      icon={<AppIcon url={tracked.app.iconUrl} name={tracked.app.name} />}
      what={
        <>
          <Link
            to="/aso/keywords/$term"
            params={{ term }}
            search={{ country: tracked.country, app: tracked.app.storeId }}
            className={`${styles.subject} cut ink medium`}
          >
            <bdi>{term}</bdi>
          </Link>
          <WhoseApp tracked={tracked} />
        </>
      }
      numbers={<Ranks move={move} note={`${surface ?? 'Search results'}, ${countryName(tracked.country)}.`} />}
      when={<When move={move} />}
    />
  )
}

/** Ranks of all tracked apps in the charts of their storefront. */
export function ChartMoves({ apps, days }: Props) {
  const { all = false } = useSearch({ from: '/' })
  const { replies, reading } = useReplies(
    'get_apple_chart_history',
    apps.map((tracked) => ({
      storeId: tracked.app.storeId,
      country: tracked.country,
      ...chartWindowOf(tracked, days),
    })),
  )
  const looked = withLastLook(apps, replies, chartsCapturedUntil)
  return (
    <Section
      title="Chart ranks"
      reading={reading}
      rows={biggestFirst(looked.apps.flatMap((one) => chartMoves(one, days)))}
      note={spanNote(looked, days)}
      row={(move) => <ChartRow key={chartKey(move)} move={move} />}
      all={all}
      none={
        looked.apps.length === 0
          ? 'No tracked app in recently collected charts.'
          : 'No chart rank changes for tracked apps.'
      }
    />
  )
}

const chartKey = ({ tracked, chart }: ChartMove): string =>
  `${tracked.appId} ${chart.chart} ${chart.categoryId} ${chart.device}`

function ChartRow({ move }: { move: ChartMove }) {
  const { tracked, chart, source } = move
  return (
    <MoveRow
      icon={<AppIcon url={tracked.app.iconUrl} name={tracked.app.name} />}
      what={
        <>
          <Link
            to="/apps/$storeId/ranks"
            params={{ storeId: tracked.app.storeId }}
            search={{ country: tracked.country }}
            className={`${styles.subject} cut ink medium`}
          >
            {chartInWords[chart.chart]}, {chart.categoryName}
            {chart.device === 'ipad' && ' (iPad)'}
          </Link>
          <WhoseApp tracked={tracked} />
        </>
      }
      numbers={
        <Ranks
          move={move}
          note={`${source?.surface ?? 'Chart'}, ${countryName(tracked.country)}. ${countWithNoun(chart.snapshots, 'snapshot')} in this period.`}
        />
      }
      when={<When move={move} />}
    />
  )
}

/** Listings of all tracked apps: texts, prices and pictures that are others than before. */
export function ListingMoves({ apps, days }: Props) {
  const { all = false } = useSearch({ from: '/' })
  const calm = apps.map((tracked) => calmListing(tracked, days))
  const moved = apps.filter((_, index) => calm[index] === undefined)
  const { replies, reading } = useReplies(
    'get_competitor_aso',
    moved.map(({ app, country }) => ({ platform: app.platform, storeId: app.storeId, country })),
  )
  const read = replies.values()
  const listings = calm.map((listing) => listing ?? read.next().value)
  const looked = withLastLook(apps, listings, listingObservedUntil)
  return (
    <Section
      title="Listing changes"
      reading={reading}
      rows={biggestFirst(looked.apps.flatMap((one) => listingMoves(one, days)))}
      note={spanNote(looked, days)}
      row={(move) => <ListingRow key={`${move.tracked.appId} ${move.change.firstSeenAt}`} move={move} />}
      all={all}
      none={
        looked.apps.length === 0
          ? 'No listings of tracked apps collected yet.'
          : 'No changes to texts, prices or images.'
      }
    />
  )
}

function ListingRow({ move: { tracked, change, fields, evidence } }: { move: ListingMove }) {
  const [first] = fields
  return (
    <MoveRow
      icon={<AppIcon url={tracked.app.iconUrl} name={tracked.app.name} />}
      what={
        <>
          <Link
            to="/apps/$storeId/listing"
            params={{ storeId: tracked.app.storeId }}
            search={{ country: tracked.country }}
            className={`${styles.subject} cut ink medium`}
          >
            {fields.map(({ field }) => listingFieldInWords(field)).join(', ')} changed
          </Link>
          <WhoseApp tracked={tracked} />
        </>
      }
      numbers={
        <Measured evidence={evidence} note={change.caution}>
          {first && <FieldMove change={first} />}
        </Measured>
      }
      when={
        <time dateTime={change.firstSeenAt} title={`Previous version last seen ${dayText(change.lastSeenAt)}`}>
          {spanText(change.lastSeenAt, change.firstSeenAt)}
        </time>
      }
    />
  )
}

const longestText = 40

function FieldMove({ change: { from, to, termsAdded, termsRemoved } }: { change: FieldChange }) {
  const texts = [from, to].map((fact) => (fact.state === 'measured' ? fact.value : '∅ none'))
  if (texts.every((text) => text.length <= longestText && !text.startsWith('https://')))
    return (
      <span>
        <bdi className="quiet">{texts[0]}</bdi> <Arrow /> <bdi>{texts[1]}</bdi>
      </span>
    )
  return (
    <span className="line wrap stretch to-end gap-1">
      {termsAdded.slice(0, 3).map((term) => (
        <Badge key={term} tone="good">
          + <bdi>{term}</bdi>
        </Badge>
      ))}
      {termsRemoved.slice(0, 3).map((term) => (
        <Badge key={term} tone="bad">
          − <bdi>{term}</bdi>
        </Badge>
      ))}
      {termsAdded.length + termsRemoved.length === 0 && <span className="quiet">new version</span>}
    </span>
  )
}

/** The app, its storefront and whose it is, with one click to where it is worked on. */
function WhoseApp({ tracked: { appId, app, country, role } }: { tracked: TrackedAppSummary }) {
  return (
    <span className={`${styles.whose} row nowrap stretch small nobreak`}>
      <Link to="/aso/$appId" params={{ appId }} search={{ country }}>
        <bdi>{app.name ?? app.storeId}</bdi>
      </Link>
      <span className="quiet">
        {country.toUpperCase()}
        {role === 'own' ? '' : `, ${roleInWords[role].toLowerCase()}`}
      </span>
    </span>
  )
}

function Ranks({ move, note }: { move: RankMove; note: string }) {
  const { before, after, at, comparedOn } = move
  const climb = placesClimbed(move)
  const up = hasClimbed(move)
  return (
    <>
      <Measured
        note={`${placeInWords(before)} on ${dayText(comparedOn)}, ${placeInWords(after)} on ${dayText(at)}. ${note}`}
        observedAt={at.length > 10 ? at : undefined}
      >
        <span className="quiet">
          <PlaceText place={before} />
        </span>{' '}
        <Arrow /> <PlaceText place={after} />
      </Measured>
      <Movement
        direction={up ? 'up' : 'down'}
        text={climb === undefined ? (up ? 'in' : 'out') : signedNumber(climb)}
        note={`Compared with ${dayText(comparedOn)}.`}
      />
    </>
  )
}

const Arrow = () => (
  <>
    <span aria-hidden="true">→</span>
    <span className="hidden">to</span>
  </>
)

const PlaceText = ({ place }: { place: Place }) =>
  'rank' in place ? (
    count(place.rank)
  ) : (
    <>
      <span aria-hidden="true">∅</span> <NotInTop depth={place.outside} />
    </>
  )
const placeInWords = (place: Place): string =>
  'rank' in place ? `Rank ${count(place.rank)}` : `Not in the top ${count(place.outside)}`

const When = ({ move: { at, comparedOn } }: { move: RankMove }) => (
  <time dateTime={at}>{spanText(comparedOn, at)}</time>
)
