import { Link } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { Fact, Measured, Movement, NotMeasured, RankValue } from '../../evidence/Fact.tsx'
import { count, countWithNoun, dayText, decimal, momentText, signedNumber } from '../../evidence/format.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { customProperties } from '../../ui/css.ts'
import { Badge } from '../../ui/parts.tsx'
import styles from './app.module.css'
import { useAppOfPage } from './app-of-page.ts'
import { type ListingChange, type ListingField, listingFieldInWords } from './choices.ts'
import { type OverallRanks, RanksAroundChange } from './ListingRanks.tsx'
import { notComparedText } from './media-sets.ts'
import { Added, Removed, TextDiff } from './TextDiff.tsx'

type FieldChange = ListingChange['fields'][number]
type Impact = ListingChange['impact'][number]

/** One change of the listing: when, what, and how ranks moved around it. */
export function ChangeCard({
  change,
  ranks,
  opens,
}: {
  change: ListingChange
  ranks: OverallRanks
  /** Shows the ranks beneath it from the start. */
  opens: boolean
}) {
  const { lastSeenAt, firstSeenAt, fields, evidence } = change
  return (
    <li className="stack">
      <header className="row baseline gap-3 rows-1">
        <h3>{fields.map(({ field }) => listingFieldInWords(field)).join(', ')}</h3>
        <p className="quiet">
          <Measured
            evidence={evidence[0]}
            note={`Before: last seen ${momentText(lastSeenAt)}. After: first seen ${momentText(firstSeenAt)}.`}
          >
            between <time dateTime={lastSeenAt}>{dayText(lastSeenAt)}</time> and{' '}
            <time dateTime={firstSeenAt}>{dayText(firstSeenAt)}</time>
          </Measured>
        </p>
      </header>
      {fields.map((field) => (
        <Field key={field.field} change={field} evidence={evidence} isNamed={fields.length > 1} />
      ))}
      <Beneath change={change} ranks={ranks} opens={opens} />
    </li>
  )
}

/** Texts that are long enough to be compared word by word; of others the whole value counts. */
const byWord: readonly ListingField[] = [
  'name',
  'subtitle',
  'description',
  'in-app-purchases',
  'compatibility',
  'languages-shown',
  'copyright',
  'tags',
  'review-summary',
  'events',
]

const pictures: readonly ListingField[] = [
  'screenshots-iphone',
  'screenshots-ipad',
  'screenshots-tv',
  'previews',
  'header-media',
  'search-media',
]

function Field({
  change,
  evidence,
  isNamed,
}: {
  change: FieldChange
  evidence: ListingChange['evidence']
  isNamed: boolean
}) {
  const { field, from, to, cut, comparison, termsAdded, termsRemoved } = change
  return (
    <div className="stack gap-1 shrinks">
      {isNamed && <h4>{listingFieldInWords(field)}</h4>}
      {pictures.includes(field) ? (
        <Pictures change={change} />
      ) : from.state !== 'measured' || to.state !== 'measured' ? (
        <p className="row">
          <Fact fact={from} evidence={evidence} format={(text) => <Removed>{text}</Removed>} />
          <Became />
          <Fact fact={to} evidence={evidence} format={(text) => <Added>{text}</Added>} />
        </p>
      ) : field === 'icon' ? (
        <p className="row">
          <span className="hidden">Previous icon</span>
          <AppIcon url={from.value} name="−" size={48} />
          <Became />
          <AppIcon url={to.value} name="+" size={48} />
          <span className="hidden">new icon</span>
        </p>
      ) : byWord.includes(field) ? (
        <TextDiff from={from.value} to={to.value} />
      ) : (
        <p className="row">
          <Removed>{from.value}</Removed>
          <Added>{to.value}</Added>
        </p>
      )}
      {comparison === 'not-compared' && <p className="quiet small">{notComparedText}</p>}
      {cut && <p className="quiet small">Only the first 500 characters are compared.</p>}
      <Terms label="Keywords added" terms={termsAdded} sign="+" />
      <Terms label="Keywords removed" terms={termsRemoved} sign="−" />
    </div>
  )
}

const Became = () => (
  <>
    <span aria-hidden="true">→</span>
    <span className="hidden">changed to</span>
  </>
)

/** Sets of pictures are told in a sentence; the pictures stand on the media tab. */
function Pictures({ change: { from, to } }: { change: FieldChange }) {
  const { storeId } = useAppOfPage()
  const number = (fact: FieldChange['from']) =>
    fact.state === 'measured'
      ? count(fact.value.split('\n').length)
      : fact.state === 'absent'
        ? 'none'
        : 'unknown'
  return (
    <p>
      {number(from)} before, {number(to)} after.{' '}
      <Link to="/apps/$storeId/media" params={{ storeId }}>
        View in Media
      </Link>
    </p>
  )
}

function Terms({ label, terms, sign }: { label: string; terms: readonly string[]; sign: '+' | '−' }) {
  if (terms.length === 0) return null
  return (
    <div className="row baseline small">
      <span className="quiet">{label}</span>
      <ul className="row gap-1">
        {terms.map((term) => (
          <li key={term}>
            <Badge tone={sign === '+' ? 'good' : 'bad'}>
              <span aria-hidden="true">{sign}</span> <bdi>{term}</bdi>
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The ranks around a change; drawn when it is opened. */
function Beneath({ change, ranks, opens }: { change: ListingChange; ranks: OverallRanks; opens: boolean }) {
  const [isOpen, setIsOpen] = useState(opens)
  const { keywords, keywordsCompared, impact } = change
  return (
    <details
      open={isOpen}
      onToggle={(event: SyntheticEvent<HTMLDetailsElement>) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="accent small medium" style={{ width: 'fit-content', minHeight: 24 }}>
        Ranks around this change
      </summary>
      {isOpen && (
        <div className="stack">
          <RanksAroundChange ranks={ranks} change={change} />
          <div
            className="tiles spread top gap-5 rows-4 scrolls"
            style={customProperties({ '--tile': '380px' })}
          >
            <ImpactTable impact={impact} />
            {keywords.length > 0 ? (
              <KeywordMoves keywords={keywords} compared={keywordsCompared} />
            ) : (
              <p className="quiet">No keyword has search results from both before and after the change.</p>
            )}
          </div>
        </div>
      )}
    </details>
  )
}

function ImpactTable({ impact }: { impact: readonly Impact[] }) {
  return (
    <table className={`${styles.compared} full small`}>
      <caption>Median rank change since the listing change, and the usual change over as many days</caption>
      <thead>
        <tr>
          <th scope="col">After</th>
          <th scope="col">Charts</th>
          <th scope="col">Keywords</th>
          <th scope="col">Other listing changes</th>
        </tr>
      </thead>
      <tbody>
        {impact.map(({ afterDays, charts, keywords, otherChanges }) => (
          <tr key={afterDays}>
            <th scope="row">{countWithNoun(afterDays, 'day')}</th>
            <td>
              <Moved impact={charts} of="charts" />
            </td>
            <td>
              <Moved impact={keywords} of="keywords" />
            </td>
            <td>{count(otherChanges)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Moved({ impact, of }: { impact: Impact['charts']; of: string }) {
  if (impact.state === 'not-measured') return <NotMeasured reason={impact.reason} />
  const { places, usual, compared } = impact
  return (
    <>
      <Movement
        direction={directionOf(places)}
        text={placesText(Math.abs(places))}
        note={`Median of ${count(compared)} ${of} with ranks before and after.`}
      />
      <span className="quiet tiny" style={{ display: 'block' }}>
        {usual === null
          ? 'usual change unknown'
          : Math.abs(places) <= usual
            ? `within the usual ±${placesText(usual)}`
            : `usual ±${placesText(usual)}`}
      </span>
    </>
  )
}

/** The median of an even number of moves may be a half. */
const placesText = (places: number) => (Number.isInteger(places) ? count(places) : decimal(places))

const directionOf = (places: number) => (places > 0 ? 'up' : places < 0 ? 'down' : 'same')

function KeywordMoves({ keywords, compared }: { keywords: ListingChange['keywords']; compared: number }) {
  return (
    <table className={`${styles.compared} full small`}>
      <caption>
        Keywords, {count(compared)} compared
        {keywords.length < compared && `, ${count(keywords.length)} biggest moves shown`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Keyword</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {keywords.map(({ term, before, beforeAt, after, afterAt, surface, places }) => (
          <tr key={`${term} ${surface}`}>
            <th scope="row">
              <bdi className="foreign">{term}</bdi>
            </th>
            <td>
              <RankValue rank={before} observedAt={beforeAt} surface={surface} />
            </td>
            <td>
              <RankValue rank={after} observedAt={afterAt} surface={surface} />
            </td>
            <td>
              {places === null ? (
                <Movement
                  direction={after.state === 'measured' ? 'up' : before.state === 'measured' ? 'down' : 'same'}
                  text={after.state === 'measured' ? 'new' : before.state === 'measured' ? 'out' : 'not ranked'}
                  note="A number needs a rank before and after."
                />
              ) : (
                <Movement
                  direction={directionOf(places)}
                  text={signedNumber(places)}
                  note="The listing change is not necessarily the cause."
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
