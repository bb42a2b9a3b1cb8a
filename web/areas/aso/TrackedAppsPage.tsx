import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { count, countryName, isolateDirection } from '../../evidence/format.ts'
import { rivalChoicesOf, trackedAs } from '../../evidence/roles.ts'
import type { Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { roles } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { Choice, SearchField, Select } from '../../ui/fields.tsx'
import { Plus } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Empty, Loaded, Page, Panel, Problem, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { FoundApps } from './FoundApps.tsx'
import { keywordChanges } from './keyword-changes.ts'
import type { Role } from './shapes.ts'
import { TermBox } from './TermBox.tsx'
import { TrackedAppsTable } from './TrackedAppsTable.tsx'

const groupOf: Record<Role, { title: string; note?: string }> = {
  own: { title: 'My apps' },
  rival: { title: 'Competitors', note: 'Compared with my apps on the same keywords' },
  watched: { title: 'Watchlist', note: 'Tracked, not compared' },
}

/** Every app that the account tracks, with its summary figures. */
export function TrackedAppsPage() {
  const apps = useQuery(trackedApps)
  const canWrite = useHasScope('content:write')
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
            <Empty title="No apps tracked yet" action={canWrite && <TrackApp />}>
              Add your app and its competitors to see where they rank for keywords.
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
        <Empty title={`No apps tracked in ${countryName(country)}`}>
          Add an app, or switch to all storefronts.
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

const countries = storefronts.map(({ code, name }) => ({ id: code, name }))
const roleOptions: readonly { id: Role; name: string }[] = [
  { id: 'own', name: 'My app' },
  { id: 'rival', name: 'Competitor' },
  { id: 'watched', name: 'Watchlist' },
]

/** Finds an app and tracks it in a storefront. */
function TrackApp() {
  return (
    <Dialog
      title="Add app"
      trigger={
        <Button look="primary" icon={<Plus size={15} aria-hidden="true" />}>
          Add app…
        </Button>
      }
    >
      {(close) => <TrackForm onDone={close} />}
    </Dialog>
  )
}

function TrackForm({ onDone }: { onDone: () => void }) {
  const here = useCountry()
  const navigate = useNavigate()
  const [country, setCountry] = useState<Country>(here)
  const { data: apps = [] } = useQuery(trackedApps)
  const [role, setRole] = useState<Role>('own')
  const choices = rivalChoicesOf(apps, country)
  const [chosen, setChosen] = useState<string>()
  const choice = choices.find(({ rivalOf }) => String(rivalOf) === chosen) ?? choices[0]
  const [text, setText] = useState('')
  const track = useWrite('track_aso_app', { changes: keywordChanges })
  const choose = (app: string) =>
    track.mutate(
      { app, country, role, ...(role === 'rival' && choice?.rivalOf && { rivalOf: choice.rivalOf }) },
      {
        onSuccess: (tracked) => {
          onDone()
          const name = tracked.app.name ?? `App ${tracked.app.storeId}`
          notify({
            kind: 'done',
            text:
              tracked.role === role
                ? `${isolateDirection(name)} is ${trackedAs(tracked, apps)} in ${countryName(country)}`
                : `${isolateDirection(name)} is already ${trackedAs(tracked, apps)}`,
          })
          void navigate({ to: '/aso/$appId', params: { appId: tracked.appId }, search: { country } })
        },
      },
    )
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <div className="tiles spread" style={customProperties({ '--tile': '180px' })}>
        <Select label="Role" options={roleOptions} value={role} onChange={setRole} />
        <Choice label="Storefront" options={countries} value={country} onChange={setCountry} />
        {role === 'rival' && choice && choices.length > 1 && (
          <Select
            label="Competitor of"
            options={choices.map(({ rivalOf, name }) => ({ id: String(rivalOf), name }))}
            value={String(choice.rivalOf)}
            onChange={setChosen}
          />
        )}
      </div>
      <SearchField
        label="App"
        labelHidden={false}
        placeholder="Name, App Store link, ID or bundle ID"
        value={text}
        onChange={setText}
        autoFocus
      />
      <FoundApps text={text} country={country} isPending={track.isPending} onChoose={choose} />
      {track.error && <Problem error={track.error} />}
    </form>
  )
}
