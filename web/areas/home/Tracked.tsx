import { Link } from '@tanstack/react-router'
import { Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { count, countWithNoun, decimal, timeAgo } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { roleInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { Badge, Panel } from '../../ui/parts.tsx'
import styles from './home.module.css'

const shown = 12

/** The tracked apps with what their list says of each: visibility, and how many keywords went up and down in seven days. */
export const Tracked = ({ apps }: { apps: readonly TrackedAppSummary[] }) => (
  <Panel
    title="Tracked apps"
    note="Visibility score, keywords up and down in 7 days"
    actions={
      <LinkButton small to="/aso">
        All
      </LinkButton>
    }
    flush
  >
    <ul className={`${styles.rows} ruled`}>
      {apps.slice(0, shown).map((tracked) => (
        <TrackedRow key={tracked.appId} tracked={tracked} />
      ))}
    </ul>
    {apps.length > shown && (
      <p className="small pad-2-4 rule-above">
        <Link to="/aso">{count(apps.length - shown)} more</Link>
      </p>
    )}
  </Panel>
)

function TrackedRow({ tracked }: { tracked: TrackedAppSummary }) {
  const { appId, app, country, role, visibility, over7Days, keywordCount } = tracked
  const { share } = visibility
  return (
    <li className={`${styles.tracked} hovers`}>
      <AppIcon url={app.iconUrl} name={app.name} />
      <div className={`${styles.what} shrinks`}>
        <Link
          to="/aso/$appId"
          params={{ appId }}
          search={{ country }}
          className={`${styles.subject} cut ink medium`}
        >
          <bdi>{app.name ?? app.storeId}</bdi>
        </Link>
        <span className={`${styles.whose} row nowrap stretch small nobreak`}>
          <span className="quiet">
            {country.toUpperCase()}
            {role === 'own' ? '' : `, ${roleInWords[role].toLowerCase()}`}
          </span>
        </span>
      </div>
      {keywordCount === 0 ? (
        <span className="quiet">no keywords</span>
      ) : (
        <>
          {over7Days.notMeasured < keywordCount ? (
            <span className="line wrap stretch to-end gap-1">
              <Badge tone={over7Days.climbed + over7Days.entered > 0 ? 'good' : 'plain'}>
                ▲ {count(over7Days.climbed + over7Days.entered)}
                <span className="hidden">up</span>
              </Badge>
              <Badge tone={over7Days.fallen + over7Days.left > 0 ? 'bad' : 'plain'}>
                ▼ {count(over7Days.fallen + over7Days.left)}
                <span className="hidden">down</span>
              </Badge>
            </span>
          ) : (
            <span className="quiet small to-end">no data yet</span>
          )}
          {share.state === 'estimated' ? (
            <Measured
              formula={share.formula}
              note={`${count(visibility.measured)} of ${countWithNoun(visibility.keywords, 'keyword')} with search results${visibility.oldestPageAt ? `, the oldest collected ${timeAgo(visibility.oldestPageAt)}` : ''}.`}
            >
              {decimal(share.value)}
              {visibility.measured < visibility.keywords && (
                <span className="quiet small nobreak" style={{ display: 'block' }}>
                  {' '}
                  {count(visibility.measured)} of {count(visibility.keywords)}
                </span>
              )}
            </Measured>
          ) : (
            <NotMeasured reason={share.reason} short />
          )}
        </>
      )}
    </li>
  )
}
