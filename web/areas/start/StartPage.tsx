import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call, invalidateReads } from '../../api/operations.ts'
import { problemInWords } from '../../api/problems.ts'
import { useHasScope } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { countryName, isolateDirection } from '../../evidence/format.ts'
import type { Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { SearchField } from '../../ui/fields.tsx'
import { Loaded, Page, Skeleton } from '../../ui/parts.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { ShownTogether } from '../../ui/ShownTogether.tsx'
import { FoundApps } from '../aso/FoundApps.tsx'
import { keywordChanges } from '../aso/keyword-changes.ts'
import { Checklist } from './Checklist.tsx'

const from = '/start'

/** The first hour: one question, and from its answer a list of what to do, which can be left and gone on with. */
export function StartPage() {
  const { app: named } = useSearch({ from })
  const country = useCountry()
  const apps = useQuery(trackedApps)
  return (
    <Loaded query={apps} skeleton={<Page title="Getting started">{<Skeleton height={520} />}</Page>}>
      {(all) => {
        const own = all.filter(({ role }) => role === 'own')
        const chosen =
          own.find(({ appId }) => appId === named) ?? own.find((app) => app.country === country) ?? own[0]
        return chosen ? <FirstHour tracked={chosen} own={own} apps={all} /> : <WhichApp />
      }}
    </Loaded>
  )
}

function FirstHour({
  tracked,
  own,
  apps,
}: {
  tracked: TrackedAppSummary
  own: readonly TrackedAppSummary[]
  apps: readonly TrackedAppSummary[]
}) {
  const nameOf = ({ app, country }: TrackedAppSummary) =>
    `${isolateDirection(app.name ?? `App ${app.storeId}`)} in ${countryName(country)}`
  const others = own.filter(({ appId }) => appId !== tracked.appId)
  return (
    <Page title="Getting started" subtitle={nameOf(tracked)}>
      {others.length > 0 && (
        <nav aria-label="My other apps" className="row small">
          <span className="quiet">Also:</span>
          {others.map((app) => (
            <Link key={app.appId} to="/start" search={{ app: app.appId, country: app.country }}>
              {nameOf(app)}
            </Link>
          ))}
        </nav>
      )}
      <ShownTogether key={tracked.appId} skeleton={<Skeleton height={760} />}>
        <Checklist tracked={tracked} apps={apps} />
      </ShownTogether>
    </Page>
  )
}

const countries = storefronts.map(({ code, name }) => ({ id: code, name }))

/** The one question of an account that tracks no app of its own. Nothing is collected before it is answered. */
export function WhichApp() {
  const here = useCountry()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const mayWrite = useHasScope('content:write')
  const [chosen, setChosen] = useState<readonly Country[]>([here])
  const [text, setText] = useState('')
  const [pending, setPending] = useState(false)
  const first = chosen.includes(here) ? here : (chosen[0] ?? here)
  const answer = async (app: string) => {
    setPending(true)
    try {
      const tracked = []
      for (const country of chosen) tracked.push(await call('track_aso_app', { app, country, role: 'own' }))
      await invalidateReads(queries, keywordChanges)
      const [one] = tracked
      if (one) await navigate({ to: '/start', search: { app: one.appId, country: one.country } })
    } catch (error) {
      notify({ kind: 'failed', ...problemInWords(error) })
      await invalidateReads(queries, keywordChanges)
    }
    setPending(false)
  }
  return (
    <Page
      title="Which app is yours?"
      subtitle="Competitors, keywords, ads, charts and alerts follow step by step."
    >
      {mayWrite ? (
        <form
          className="stack gap-4"
          style={{ maxWidth: '40rem' }}
          onSubmit={(event) => event.preventDefault()}
        >
          <SearchField
            label="App"
            labelHidden={false}
            placeholder="Name, App Store link, ID or bundle ID"
            value={text}
            onChange={setText}
            autoFocus
          />
          <SelectSome
            label="Storefronts"
            options={countries}
            values={chosen}
            onChange={(values) => setChosen(values.length > 0 ? values : [here])}
          />
          <FoundApps text={text} country={first} isPending={pending} onChoose={(app) => void answer(app)} />
          <p className="quiet small">
            Only this app is looked up in the App Store now. Add more apps under <Link to="/aso">ASO</Link>.
          </p>
        </form>
      ) : (
        <p className="stack">
          Your key is read-only. Sign in with a key that can write (scope content:write) to add your app, or{' '}
          <Link to="/apps">search the collected apps</Link>.
        </p>
      )}
    </Page>
  )
}
