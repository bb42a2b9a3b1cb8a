import { Link } from '@tanstack/react-router'
import { Fact } from '../../evidence/Fact.tsx'
import { ago, counted, countryName, dayText, momentText } from '../../evidence/format.ts'
import { publisherInWords } from '../../evidence/words.ts'
import { css } from '../../ui/css.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Panel } from '../../ui/parts.tsx'
import type { AdDetail } from './reading.ts'
import { OutLink } from './Texts.tsx'
import { DaysRunning } from './values.tsx'

const activeText = (active: boolean): string => (active ? 'Running' : 'Ended')

/** Who ran the ad, when and where, as far as the library says. */
export function DeliveryPanel({ ad }: { ad: AdDetail }) {
  const { evidence, advertiser } = ad
  return (
    <Panel title="Delivery">
      <dl className="tiles" style={css({ '--tile': '140px' })}>
        <div>
          <dt className="small">State</dt>
          <dd>
            <Fact fact={ad.active} evidence={evidence} format={activeText} />
          </dd>
        </div>
        <div>
          <dt className="small">Started</dt>
          <dd>
            <Fact fact={ad.deliveryStartedOn} evidence={evidence} format={dayText} />
          </dd>
        </div>
        <div>
          <dt className="small">Ended</dt>
          <dd>
            <Fact fact={ad.deliveryEndedOn} evidence={evidence} format={dayText} absent="no end shown" />
          </dd>
        </div>
        <div>
          <dt className="small">Ran for</dt>
          <dd>
            <DaysRunning days={ad.daysRunning} />
          </dd>
        </div>
        <div>
          <dt className="small">Reach</dt>
          <dd>
            <Fact fact={ad.reachText} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
          </dd>
        </div>
        <div>
          <dt className="small">Countries</dt>
          <dd>
            <Fact
              fact={ad.countries}
              evidence={evidence}
              format={(codes) => codes.map(countryName).join(', ')}
            />
          </dd>
        </div>
        <div>
          <dt className="small">Shown on</dt>
          <dd>
            <Fact
              fact={ad.publisherPlatforms}
              evidence={evidence}
              format={(platforms) => platforms.map((one) => publisherInWords[one]).join(', ')}
            />
          </dd>
        </div>
        <div>
          <dt className="small">Advertiser</dt>
          <dd className="foreign">
            <Fact fact={advertiser.name} evidence={evidence} format={(name) => name} />
            {advertiser.advertiserId && <span className="quiet"> {advertiser.advertiserId}</span>}
          </dd>
        </div>
        <div>
          <dt className="small">Profile</dt>
          <dd>
            <Fact fact={advertiser.profileUrl} evidence={evidence} format={(url) => <OutLink url={url} />} />
          </dd>
        </div>
        <div>
          <dt className="small">Paid by</dt>
          <dd className="foreign">
            <Fact fact={advertiser.paidBy} evidence={evidence} format={(names) => names.join(', ')} />
          </dd>
        </div>
        <div>
          <dt className="small">On behalf of</dt>
          <dd className="foreign">
            <Fact fact={advertiser.beneficiaries} evidence={evidence} format={(names) => names.join(', ')} />
          </dd>
        </div>
      </dl>
      {advertiser.advertiserId && (
        <p className="row spaced gap-4">
          <Link to="/creatives/ads" search={{ advertiser: advertiser.advertiserId, platform: ad.platform }}>
            All its ads
          </Link>
          <Link
            to="/creatives/timeline"
            search={{ advertiser: advertiser.advertiserId, platform: ad.platform }}
          >
            Its timeline
          </Link>
        </p>
      )}
    </Panel>
  )
}

/** The ad on each occasion it was observed, newest first. */
export function ObservationsPanel({ ad }: { ad: AdDetail }) {
  const { evidence, observations, observationCount } = ad
  return (
    <Panel
      title="Observations"
      note={`${counted(observationCount, 'observation')} since ${dayText(ad.firstObservedAt)}, the newest ${ago(ad.lastObservedAt)}`}
      flush
    >
      <DataTable
        label="Observations of the ad"
        file={`observations-${ad.platform}-${ad.archiveId}`}
        rows={observations}
        rowId={({ observedAt }) => observedAt}
        minWidth={520}
        height={260}
        empty={null}
        columns={[
          {
            id: 'at',
            name: 'Observed',
            cell: ({ observedAt }) => momentText(observedAt),
            value: ({ observedAt }) => observedAt,
          },
          {
            id: 'state',
            name: 'State',
            cell: ({ active }) => <Fact fact={active} evidence={evidence} format={activeText} />,
            value: ({ active }) => (active.state === 'measured' ? activeText(active.value) : null),
          },
          {
            id: 'end',
            name: 'End shown',
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
