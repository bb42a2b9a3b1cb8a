import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '../../api/operations.ts'
import { appLabelOf } from '../../evidence/app-label.ts'
import { Fact, ScoreValue } from '../../evidence/Fact.tsx'
import { compactNumber, decimal } from '../../evidence/format.ts'
import { trackedApps, useTrackedApps } from '../../evidence/tracked.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { CompareLink } from '../../ui/CompareLink.tsx'
import { customProperties } from '../../ui/css.ts'
import { Badge, Empty, Loaded, MorePages, Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './app.module.css'
import { useAppOfPage } from './app-of-page.ts'
import { OwnSourceIssues } from './OwnSourceIssues.tsx'
import { RequestData } from './RequestData.tsx'
import { similarAppsQueryOf } from './tab-reads.ts'

type SimilarApps = ReplyOf<'get_similar_competitors'>
type SimilarApp = SimilarApps['items'][number]
type Tracked = ReturnType<typeof useTrackedApps>

const kindInWords = {
  'apple-list': 'Apple’s similar apps',
  'same-developer': 'Same developer',
  'shared-keywords': 'Shared keywords',
  'charting-together': 'Same charts',
  'similar-text': 'Similar listing texts',
} as const satisfies Record<SimilarApps['basis'][number]['kind'], string>

/** Apps that resemble the app of the page, with the reasons in words. */
export function SimilarTab() {
  const { storeId, country } = useAppOfPage()
  const similar = useQuery(similarAppsQueryOf(storeId, country))
  const { isSuccess } = useQuery(trackedApps)
  const tracked = useTrackedApps(country)
  return (
    <Loaded query={similar} skeleton={<Waiting />}>
      {(reply) => (
        <>
          <OwnSourceIssues trouble={reply.trouble} />
          <Panel
            title="Similar apps"
            note={`Sorted by similarity, from 0 to 100.${isSuccess && !tracked.has(storeId) ? ' Track this app to compare keywords.' : ''}`}
            actions={reply.items.length > 0 && <RequestData kinds={['similar']} />}
          >
            {reply.items.length === 0 ? (
              <Empty
                title="No similar apps found in this storefront"
                action={<RequestData kinds={['similar']} />}
              >
                None of the collected apps is similar enough by the signals listed below.
              </Empty>
            ) : (
              <Rows
                key={`${storeId} ${country}`}
                items={reply.items}
                formula={reply.formula}
                tracked={tracked}
              />
            )}
          </Panel>
          <SameDeveloper apps={reply.sameDeveloper} />
          <Basis basis={reply.basis} />
        </>
      )}
    </Loaded>
  )
}

/** Other apps of the developer: no rivals, so they have no score. */
function SameDeveloper({ apps }: { apps: SimilarApps['sameDeveloper'] }) {
  const { country } = useAppOfPage()
  if (apps.length === 0) return null
  return (
    <Panel title="Also by this developer" note="Most ratings first">
      <ul className="row">
        {apps.map((app) => (
          <li key={app.storeId}>
            <AppLink app={appLabelOf(app)} country={country} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Apps shown at first, and with each press for more. */
const step = 20

function Rows({
  items,
  formula,
  tracked,
}: {
  items: readonly SimilarApp[]
  formula: string
  tracked: Tracked
}) {
  const [most, setMost] = useState(step)
  const shown = items.slice(0, most)
  return (
    <>
      <ol className="ruled">
        {shown.map((item) => (
          <Row key={item.app.storeId} item={item} formula={formula} tracked={tracked} />
        ))}
      </ol>
      <MorePages
        query={{
          hasNextPage: shown.length < items.length,
          isFetchingNextPage: false,
          fetchNextPage: () => setMost(most + step),
        }}
        shown={shown.length}
      />
    </>
  )
}

function Row({ item, formula, tracked }: { item: SimilarApp; formula: string; tracked: Tracked }) {
  const { country } = useAppOfPage()
  const { app, score, reasons } = item
  return (
    <li className={styles.similar}>
      <div className="shrinks">
        <AppLink app={appLabelOf(app)} country={country} size={40} />
        <p className="quiet small" style={{ paddingInlineStart: 'calc(40px + var(--space-2))' }}>
          <Fact fact={app.primaryCategory} evidence={app.evidence} format={({ name }) => name} />
          {' · '}
          <Fact fact={app.rating} evidence={app.evidence} format={(stars) => `${decimal(stars)} stars`} />
          {' · '}
          <Fact
            fact={app.ratingCount}
            evidence={app.evidence}
            format={(ratings) => `${compactNumber(ratings)} ${ratings === 1 ? 'rating' : 'ratings'}`}
          />
        </p>
      </div>
      <div className={`${styles.below} stack top gap-2 bold`}>
        <ScoreValue score={{ state: 'estimated', value: score * 100, formula }} name="Similarity" />
        <span className="row">
          <CompareLink storeId={app.storeId} country={country} name={app.name} />
          <Compare storeId={app.storeId} tracked={tracked} />
        </span>
      </div>
      <ul className={`${styles.below} ${styles.reasons} stack gap-2 small`}>
        {reasons.map(({ kind, strength, detail }) => (
          <li key={kind}>
            <meter min={0} max={1} value={strength} aria-label={`${kindInWords[kind]}: strength`} />
            <span className="quiet">{kindInWords[kind]}</span>
            <bdi className="foreign">{detail}</bdi>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The keyword gap between the two, where the account tracks one of them in this storefront. */
function Compare({ storeId: other, tracked }: { storeId: string; tracked: Tracked }) {
  const { storeId, country } = useAppOfPage()
  const own = tracked.get(storeId)
  const theirs = tracked.get(other)
  const params = own
    ? { appId: own.appId, rivalStoreId: other }
    : theirs && { appId: theirs.appId, rivalStoreId: storeId }
  if (!params) return null
  return (
    <LinkButton small to="/aso/$appId/gap/$rivalStoreId" params={params} search={{ country }}>
      Compare keywords
    </LinkButton>
  )
}

function Basis({ basis }: { basis: SimilarApps['basis'] }) {
  return (
    <Panel title="Signals used" note="A signal without data adds nothing to the score.">
      <dl
        className={`${styles.basis} tiles gap-5 small`}
        style={{ ...customProperties({ '--tile': '260px' }), rowGap: 'var(--space-3)' }}
      >
        {basis.map(({ kind, state, detail }) => (
          <div key={kind}>
            <dt className="ink medium">
              {kindInWords[kind]}{' '}
              <Badge tone={state === 'measured' ? 'good' : 'plain'}>
                {state === 'measured' ? 'Used' : 'No data'}
              </Badge>
            </dt>
            <dd className="quiet" style={{ paddingTop: 'var(--space-1)' }}>
              {detail}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const Waiting = () => (
  <div className="stack">
    <Skeleton height={620} />
    <Skeleton height={180} />
  </div>
)
