import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { read, useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { appLabelOf } from '../../evidence/app-label.ts'
import { useCountry } from '../../evidence/country.ts'
import { count, countryName, inSentence, isolateDirection } from '../../evidence/format.ts'
import type { AppLabel, Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { rivalChoicesOf, roleOf, trackedApps, useTrackedApps } from '../../evidence/tracked.ts'
import { roleInWords, roles } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { Choice, SearchField, Select } from '../../ui/fields.tsx'
import { Plus, Radio } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Empty, Loaded, Page, Panel, Problem, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { appReferenceIn, storeIdIn } from './app-reference.ts'
import { keywordChanges } from './keyword-changes.ts'
import type { Role } from './shapes.ts'
import { TermBox } from './TermBox.tsx'
import { TrackedAppsTable } from './TrackedAppsTable.tsx'

const groupOf: Record<Role, { title: string; note: string }> = {
  own: { title: 'Own apps', note: 'To be improved' },
  rival: { title: 'Rivals', note: 'An own app is compared with its rivals, and with those of all own apps' },
  watched: { title: 'Watched', note: 'Looked at, compared with nothing' },
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

const countries = storefronts.map(({ code, name }) => ({ id: code, name }))
const roleOptions: readonly { id: Role; name: string }[] = [
  { id: 'own', name: 'Own: to be improved' },
  { id: 'rival', name: 'Rival: compared with own apps' },
  { id: 'watched', name: 'Watched: looked at only' },
]

/** Finds an app and tracks it in a storefront. */
function TrackApp() {
  return (
    <Dialog
      title="Track an app"
      trigger={
        <Button look="primary" icon={<Plus size={15} aria-hidden="true" />}>
          Track an app…
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
                ? `${isolateDirection(name)} is tracked in ${countryName(country)} as ${inSentence(roleOf(tracked, apps))}`
                : `${isolateDirection(name)} was tracked already, as ${inSentence(roleOf(tracked, apps))}`,
          })
          void navigate({ to: '/aso/$appId', params: { appId: tracked.appId }, search: { country } })
        },
      },
    )
  return (
    <div className="stack">
      <div className="tiles spread" style={customProperties({ '--tile': '180px' })}>
        <Select label="Role" options={roleOptions} value={role} onChange={setRole} />
        <Choice label="Storefront of the app" options={countries} value={country} onChange={setCountry} />
        {role === 'rival' && choice && choices.length > 1 && (
          <Select
            label="Rival of"
            options={choices.map(({ rivalOf, name }) => ({ id: String(rivalOf), name }))}
            value={String(choice.rivalOf)}
            onChange={setChosen}
          />
        )}
      </div>
      <SearchField
        label="App"
        labelHidden={false}
        placeholder="Name, App Store address, id or bundle id"
        value={text}
        onChange={setText}
        autoFocus
      />
      <Found text={text} country={country} isPending={track.isPending} onChoose={choose} />
      {track.error && <Problem error={track.error} />}
    </div>
  )
}

/** What the text may mean: an app named by an id or address, stored apps of that name, and those of the App Store. */
function Found({
  text,
  country,
  isPending,
  onChoose,
}: {
  text: string
  country: Country
  isPending: boolean
  onChoose: (app: string) => void
}) {
  const q = useDeferredValue(text.trim())
  const reference = appReferenceIn(q)
  const stored = useQuery({
    ...read('search_competitors', { q, country, limit: 8 }),
    enabled: q.length > 1,
    placeholderData: (before) => before,
  })
  const live = useWrite('search_ios_apps')
  const tracked = useTrackedApps(country)
  const named = reference && tracked.get(storeIdIn(reference) ?? '')
  const asked = live.data && live.variables?.term === q && live.variables.country === country
  if (q.length < 2) return <p className="quiet">Type the name of an app to find it.</p>
  const apps = asked ? live.data.items.map(({ app }) => app) : (stored.data?.items ?? [])
  return (
    <div className="stack" aria-live="polite">
      {named && !apps.some(({ storeId }) => storeId === named.app.storeId) && (
        <FoundApp app={named.app} tracked={named} isPending={isPending} onChoose={onChoose} />
      )}
      {reference && !named && (
        <Button isPending={isPending} onPress={() => onChoose(reference.value)}>
          Track {reference.kind} <bdi>{reference.value}</bdi>
        </Button>
      )}
      {asked && <p className="quiet">{live.data.detail}</p>}
      {!asked && stored.isPending && <Skeleton height={200} />}
      {!asked && stored.error && <Problem error={stored.error} />}
      {apps.length === 0 && !stored.isPending && !reference && (
        <Empty title={asked ? 'The App Store found nothing' : 'No stored app is called like this'} />
      )}
      <ul className="ruled pad-rows">
        {apps.map((app) => (
          <FoundApp
            key={app.storeId}
            app={appLabelOf(app)}
            tracked={tracked.get(app.storeId)}
            isPending={isPending}
            onChoose={onChoose}
          />
        ))}
      </ul>
      {!asked && (
        <div>
          <Button
            small
            icon={<Radio size={13} aria-hidden="true" />}
            isPending={live.isPending}
            onPress={() => live.mutate({ term: q, country, limit: 10 })}
          >
            Search the App Store for “<bdi>{q}</bdi>”
          </Button>
        </div>
      )}
    </div>
  )
}

/** An app to be tracked, or as what it is tracked in the storefront already. */
function FoundApp({
  app,
  tracked,
  isPending,
  onChoose,
}: {
  app: AppLabel
  tracked: TrackedAppSummary | undefined
  isPending: boolean
  onChoose: (app: string) => void
}) {
  const { storeId, name, iconUrl, developer } = app
  return (
    <li className="row nowrap gap-3">
      <AppIcon url={iconUrl} name={name} size={32} />
      <span className="grow">
        <bdi className="foreign">{name ?? `App ${storeId}`}</bdi>
        <br />
        <bdi className="foreign quiet">{developer}</bdi>
      </span>
      {tracked ? (
        <Link
          to="/aso/$appId"
          params={{ appId: tracked.appId }}
          search={{ country: tracked.country }}
          aria-label={`Open ${name ?? storeId}, tracked as ${roleInWords[tracked.role].toLowerCase()}`}
        >
          <Badge>Tracked: {roleInWords[tracked.role]}</Badge>
        </Link>
      ) : (
        <Button
          small
          isDisabled={isPending}
          aria-label={`Track ${name ?? storeId}`}
          onPress={() => onChoose(storeId)}
        >
          Track
        </Button>
      )}
    </li>
  )
}
