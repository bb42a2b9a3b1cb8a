import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { OtherTools } from '../../../charts/OtherTools.tsx'
import { RankValue } from '../../../evidence/Fact.tsx'
import { OtherSurfaces } from '../../../evidence/Surface.tsx'
import { trackedApps } from '../../../evidence/tracked.ts'
import { roleInWords } from '../../../evidence/words.ts'
import { AppIcon } from '../../../ui/AppLink.tsx'
import { Badge, Panel } from '../../../ui/parts.tsx'
import styles from '../aso.module.css'
import type { Exploration } from '../shapes.ts'

/** Where the tracked apps stand for the keyword, and whether it is one of theirs. */
export function TrackedRanks({
  exploration: { trackedApps: ranks, country, page, term },
}: {
  exploration: Exploration
}) {
  const evidence = page.state === 'not-measured' ? undefined : page.evidence[0]
  const apps = useQuery(trackedApps)
  const told = ranks.filter(({ otherTools }) => otherTools.length > 0)
  const elsewhere = ranks.filter(({ otherSurfaces, notListed }) => otherSurfaces.length > 0 || notListed)
  const labels = new Map(apps.data?.map(({ appId, app }) => [appId, app]))
  return (
    <Panel title="Tracked apps">
      {ranks.length === 0 ? (
        <p className="quiet">No tracked app ranks for this keyword or has it on its list.</p>
      ) : (
        <table className={`${styles.small} full small`}>
          <thead>
            <tr>
              <th scope="col">App</th>
              <th scope="col">Role</th>
              <th scope="col" className="end">
                Rank
              </th>
            </tr>
          </thead>
          <tbody>
            {ranks.map(({ appId, storeId, role, keywordId, rank }) => {
              const label = labels.get(appId)
              const name = label?.name ?? `App ${storeId}`
              return (
                <tr key={appId}>
                  <td>
                    <Link to="/aso/$appId" params={{ appId }} search={{ country }} className="row">
                      <AppIcon url={label?.iconUrl} name={name} size={20} />
                      <bdi className="foreign">{name}</bdi>
                    </Link>
                    {!keywordId && <span className="quiet">not tracked for this app</span>}
                  </td>
                  <td>
                    <Badge tone={role === 'own' ? 'accent' : 'plain'}>{roleInWords[role]}</Badge>
                  </td>
                  <td className="end">
                    <RankValue rank={rank} evidence={evidence} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {elsewhere.length > 0 && (
        <section className="stack gap-2 small" style={{ paddingBlockStart: 'var(--space-3)' }}>
          <h3>In other sources</h3>
          {elsewhere.map(({ appId, storeId, rank, otherSurfaces, notListed }) => (
            <div key={appId}>
              <bdi className="foreign">{labels.get(appId)?.name ?? `App ${storeId}`}</bdi>
              <div>
                <OtherSurfaces here={rank} ranks={otherSurfaces} />
              </div>
              {notListed && <p>This search does not list the app, not even for its own name.</p>}
            </div>
          ))}
        </section>
      )}
      {told.length > 0 && (
        <section className="stack gap-2 small" style={{ paddingBlockStart: 'var(--space-3)' }}>
          <h3>From other tools</h3>
          {told.map(({ appId, storeId, otherTools }) => (
            <div key={appId}>
              <bdi className="foreign">{labels.get(appId)?.name ?? `App ${storeId}`}</bdi>
              <div>
                <OtherTools term={term} told={otherTools} />
              </div>
            </div>
          ))}
        </section>
      )}
    </Panel>
  )
}
