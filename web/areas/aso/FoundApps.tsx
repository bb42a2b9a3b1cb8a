import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { read, useWrite } from '../../api/operations.ts'
import { appLabelOf } from '../../evidence/app-label.ts'
import { trackedAs } from '../../evidence/roles.ts'
import type { AppLabel, Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { useTrackedApps } from '../../evidence/tracked.ts'
import { roleInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { Radio } from '../../ui/icons.ts'
import { Badge, Empty, Problem, Skeleton } from '../../ui/parts.tsx'
import { appReferenceIn, storeIdIn } from './app-reference.ts'

const referenceInWords = { address: 'link', id: 'ID', 'bundle id': 'bundle ID' } as const

/**
 * What the text may mean: an app named by an id or address, stored apps of that name, and those of the App Store. Inside a form with the
 * field of the text, Enter there does what is most likely meant.
 */
export function FoundApps({
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
        <Button type="submit" look="primary" isPending={isPending} onPress={() => onChoose(reference.value)}>
          Track {referenceInWords[reference.kind]} <bdi>{reference.value}</bdi>
        </Button>
      )}
      {asked && live.data.answeredFrom !== 'live' && <p className="quiet">{live.data.detail}</p>}
      {!asked && stored.isPending && <Skeleton height={200} />}
      {!asked && stored.error && <Problem error={stored.error} />}
      {apps.length === 0 && !stored.isPending && !reference && (
        <Empty title={asked ? 'No apps found in the App Store' : 'No app with this name collected yet'} />
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
            {...(reference ? {} : { type: 'submit' })}
            look={apps.length === 0 && !stored.isPending && !reference ? 'primary' : 'plain'}
            icon={<Radio size={13} aria-hidden="true" />}
            isPending={live.isPending}
            onPress={() => live.mutate({ term: q, country, limit: 10 })}
          >
            <span>
              Search the App Store for “<bdi>{q}</bdi>”
            </span>
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
          aria-label={`Open ${name ?? storeId}, ${trackedAs(tracked, [])}`}
        >
          <Badge>{roleInWords[tracked.role]}</Badge>
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
