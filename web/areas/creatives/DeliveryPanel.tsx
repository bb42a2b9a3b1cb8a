import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import {
  type AdFieldKind,
  type AdFieldTypes,
  type AdLevelField,
  adFieldRow,
  adFieldsOf,
  adLabel,
  adReplyName,
} from '../../../src/vocabulary/ad-fields.ts'
import { placementLabel } from '../../../src/vocabulary/ad-platforms.ts'
import { Fact } from '../../evidence/Fact.tsx'
import {
  count,
  countryName,
  countWithNoun,
  dayText,
  languageName,
  momentText,
  timeAgo,
} from '../../evidence/format.ts'
import type { FactOf } from '../../evidence/shapes.ts'
import { formatInWords, publisherInWords } from '../../evidence/words.ts'
import { customProperties } from '../../ui/css.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Panel } from '../../ui/parts.tsx'
import type { AdDetail } from './reading.ts'
import { OutLink } from './Texts.tsx'
import { DaysRunning } from './values.tsx'
import { activeText } from './words.ts'

/** How a value is written, by what its field holds. */
const written: { [Kind in AdFieldKind]: (value: AdFieldTypes[Kind]) => ReactNode } = {
  text: (text) => <bdi>{text}</bdi>,
  address: (url) => <OutLink url={url} />,
  names: (names) => names.join(', '),
  flag: activeText,
  day: dayText,
  format: (format) => formatInWords[format],
  language: languageName,
  countries: (codes) => codes.map(countryName).join(', '),
  publishers: (platforms) =>
    platforms.map((one) => publisherInWords[one as keyof typeof publisherInWords]).join(', '),
  code: (code) => code,
  codes: (codes) => codes.map(placementLabel).join(', '),
  byCountry: (deliveries) => countWithNoun(deliveries.length, 'country', 'countries'),
}

/** Rare fields have a place only where a source carries them. */
const isShown = (ad: AdDetail, field: AdLevelField): boolean => {
  const fact = factOf(ad, field)
  return !adFieldRow(field).rare || fact?.state !== 'not-measured' || fact.reason !== 'not-carried'
}

function factOf(ad: AdDetail, field: AdLevelField): FactOf<unknown> | undefined {
  const facts: object = adFieldRow(field).part === 'advertiser' ? ad.advertiser : ad
  return (facts as Record<string, FactOf<unknown>>)[adReplyName(field)]
}

function AdFact({ ad, field }: { ad: AdDetail; field: AdLevelField }) {
  const { kind } = adFieldRow(field)
  const fact = factOf(ad, field)
  return (
    fact && (
      <Fact
        fact={fact}
        evidence={ad.evidence}
        format={written[kind] as (value: unknown) => ReactNode}
        absent={field === 'endedOn' ? 'no end date' : 'none'}
      />
    )
  )
}

const tiles = [...adFieldsOf.delivery, ...adFieldsOf.audience, ...adFieldsOf.advertiser].filter(
  (field) => field !== 'byCountry',
)

/** Whether a value is words of others, in a language of theirs. */
const isForeign = (field: AdLevelField) =>
  adFieldRow(field).part === 'advertiser' && adFieldRow(field).kind !== 'address'

/** Who ran the ad, when and where, as far as the library says. */
export function DeliveryPanel({ ad }: { ad: AdDetail }) {
  const { advertiser } = ad
  return (
    <Panel title="Delivery">
      <dl className="tiles" style={customProperties({ '--tile': '140px' })}>
        {tiles
          .filter((field) => isShown(ad, field))
          .map((field) => (
            <Fragment key={field}>
              <div>
                <dt className="small">{adLabel(field)}</dt>
                <dd className={isForeign(field) ? 'foreign' : undefined}>
                  <AdFact ad={ad} field={field} />
                  {field === 'advertiserName' && advertiser.advertiserId && (
                    <span className="quiet"> {advertiser.advertiserId}</span>
                  )}
                </dd>
              </div>
              {field === 'endedOn' && (
                <div>
                  <dt className="small">Run time</dt>
                  <dd>
                    <DaysRunning days={ad.daysRunning} />
                  </dd>
                </div>
              )}
            </Fragment>
          ))}
      </dl>
      {advertiser.advertiserId && (
        <p className="row spaced gap-4">
          <Link to="/creatives/ads" search={{ advertiser: advertiser.advertiserId, platform: ad.platform }}>
            All ads of this advertiser
          </Link>
          <Link
            to="/creatives/timeline"
            search={{ advertiser: advertiser.advertiserId, platform: ad.platform }}
          >
            Advertiser timeline
          </Link>
        </p>
      )}
    </Panel>
  )
}

/** First and last day in each country, where the library tells them. */
export function CountriesPanel({ ad }: { ad: AdDetail }) {
  const { byCountry, platform, archiveId } = ad
  if (byCountry.state !== 'measured') return null
  return (
    <Panel title="By country" note="Days as stated by the ad library, without a time zone." flush>
      <DataTable
        label="Delivery by country"
        file={`countries-${platform}-${archiveId}`}
        rows={byCountry.value}
        rowId={({ country }) => country}
        minWidth={560}
        height={Math.min(280, 44 + byCountry.value.length * 40)}
        empty={null}
        columns={[
          {
            id: 'country',
            name: 'Country',
            cell: ({ country }) => countryName(country),
            value: ({ country }) => country,
          },
          {
            id: 'first',
            name: 'First shown',
            cell: ({ firstShownOn, firstShownBy }) =>
              firstShownOn ? dayText(firstShownOn) : firstShownBy ? `by ${dayText(firstShownBy)}` : '–',
            value: ({ firstShownOn, firstShownBy }) => firstShownOn ?? (firstShownBy && `by ${firstShownBy}`),
          },
          {
            id: 'last',
            name: 'Last shown',
            cell: ({ lastShownOn }) => (lastShownOn ? dayText(lastShownOn) : '–'),
            value: ({ lastShownOn }) => lastShownOn,
          },
          {
            id: 'until',
            name: 'Data until',
            cell: ({ knownUntil }) => (knownUntil ? dayText(knownUntil) : '–'),
            value: ({ knownUntil }) => knownUntil,
          },
          {
            id: 'placements',
            name: 'Placement',
            cell: ({ placements }) => placements.map(placementLabel).join(', '),
            value: ({ placements }) => placements.join(' '),
          },
        ]}
      />
    </Panel>
  )
}

/** The ad on each occasion it was observed, newest first. */
export function ObservationsPanel({ ad }: { ad: AdDetail }) {
  const { evidence, observations, observationCount } = ad
  return (
    <Panel
      title="History"
      note={`Seen ${observationCount === 1 ? 'once' : `${count(observationCount)} times`} since ${dayText(ad.firstObservedAt)}, last ${timeAgo(ad.lastObservedAt)}`}
      flush
    >
      <DataTable
        label="History of the ad"
        file={`history-${ad.platform}-${ad.archiveId}`}
        rows={observations}
        rowId={({ observedAt }) => observedAt}
        minWidth={520}
        height={260}
        empty={null}
        columns={[
          {
            id: 'at',
            name: 'Seen',
            cell: ({ observedAt }) => momentText(observedAt),
            value: ({ observedAt }) => observedAt,
          },
          {
            id: 'state',
            name: 'Status',
            cell: ({ active }) => <Fact fact={active} evidence={evidence} format={activeText} />,
            value: ({ active }) => (active.state === 'measured' ? activeText(active.value) : null),
          },
          {
            id: 'end',
            name: 'End date',
            cell: ({ deliveryEndedOn }) => <Fact fact={deliveryEndedOn} evidence={evidence} format={dayText} />,
            value: ({ deliveryEndedOn }) =>
              deliveryEndedOn.state === 'measured' ? deliveryEndedOn.value : null,
          },
          {
            id: 'reach',
            name: 'Reach',
            align: 'end',
            cell: ({ reachText }) => (
              <Fact fact={reachText} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
            ),
            value: ({ reachText }) => (reachText.state === 'measured' ? reachText.value : null),
          },
        ]}
      />
    </Panel>
  )
}
