import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useAllowed } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { count, countryName } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { roles } from '../../evidence/words.ts'
import { Empty, Loaded, Page, Panel, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import type { Role } from './shapes.ts'
import { TermBox } from './TermBox.tsx'
import { TrackApp } from './TrackApp.tsx'
import { TrackedAppsTable } from './TrackedAppsTable.tsx'

const groupOf: Record<Role, { title: string; note: string }> = {
  own: { title: 'Own apps', note: 'To be improved' },
  rival: { title: 'Rivals', note: 'Own apps of the same storefront are compared with them' },
  watched: { title: 'Watched', note: 'Looked at, compared with nothing' },
}

/** Every app that the account tracks, with its summary figures. */
export function TrackedAppsPage() {
  const apps = useQuery(trackedApps)
  const canWrite = useAllowed('content:write')
  return (
    <Page
      title="ASO"
      subtitle="Tracked apps and their keywords"
      actions={
        <>
          <TermBox />
          {canWrite && <TrackApp />}
        </>
      }
    >
      <Loaded query={apps} skeleton={<Skeleton height={560} />}>
        {(loaded) =>
          loaded.length === 0 ? (
            <Empty title="No app is tracked yet" action={canWrite && <TrackApp />}>
              Track your own app and its rivals to see where they rank for keywords.
            </Empty>
          ) : (
            <Groups apps={loaded} />
          )
        }
      </Loaded>
    </Page>
  )
}

function Groups({ apps }: { apps: readonly TrackedAppSummary[] }) {
  const country = useCountry()
  const { everywhere = false } = useSearch({ from: '/aso' })
  const navigate = useNavigate({ from: '/aso' })
  const here = apps.filter((app) => app.country === country)
  const shown = everywhere ? apps : here
  return (
    <>
      <div data-screen-only>
        <Segments
          label="Storefronts"
          labelHidden
          value={everywhere ? 'all' : 'one'}
          segments={[
            { id: 'one', name: countryName(country), note: count(here.length) },
            { id: 'all', name: 'All storefronts', note: count(apps.length) },
          ]}
          onChange={(chosen) =>
            void navigate({
              search: ({ everywhere: _, ...before }) => ({
                ...before,
                ...(chosen === 'all' ? { everywhere: true as const } : {}),
              }),
            })
          }
        />
      </div>
      {shown.length === 0 && (
        <Empty title={`No app is tracked in ${countryName(country)}`}>
          Track one here, or look at all storefronts.
        </Empty>
      )}
      {roles.map((role) => {
        const group = shown.filter((app) => app.role === role)
        if (group.length === 0) return null
        return (
          <Panel key={role} title={groupOf[role].title} note={groupOf[role].note} flush>
            <TrackedAppsTable role={role} apps={group} storefronts={everywhere} />
          </Panel>
        )
      })}
    </>
  )
}
