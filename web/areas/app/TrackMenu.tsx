import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ArgumentsOf, useWrite } from '../../api/operations.ts'
import { apart, countryName } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { trackedApps, useTrackedApps } from '../../evidence/tracked.ts'
import { roleInWords } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { ChevronDown, Target } from '../../ui/icons.ts'
import { Menu } from '../../ui/overlays.tsx'

type Role = ArgumentsOf<'track_aso_app'>['role']

const roles: readonly { role: Role; track: string }[] = [
  { role: 'own', track: 'Track as an own app' },
  { role: 'rival', track: 'Track as a rival' },
  { role: 'watched', track: 'Only watch' },
]

/** Tracks the app in this storefront, or shows as what it is tracked and leads to its workstation. */
export function TrackMenu({ storeId, country, name }: { storeId: string; country: Country; name: string }) {
  const navigate = useNavigate()
  const { isPending } = useQuery(trackedApps)
  const tracked = useTrackedApps(country).get(storeId)
  const track = useWrite('track_aso_app', {
    changes: ['list_aso_apps', 'get_competitor_aso'],
    done: ({ role }) =>
      `${apart(name)} is tracked in ${countryName(country)} as ${roleInWords[role].toLowerCase()}.`,
  })
  const change = useWrite('update_aso_app_role', {
    changes: ['list_aso_apps', 'get_aso_workstation'],
    done: ({ role }) => `${apart(name)} is now tracked as ${roleInWords[role].toLowerCase()}.`,
  })
  return (
    <Menu
      label="Track this app"
      trigger={
        <Button
          look={tracked || isPending ? 'plain' : 'primary'}
          isDisabled={isPending}
          icon={<Target size={15} aria-hidden="true" />}
          isPending={track.isPending || change.isPending}
        >
          {tracked ? `Tracked: ${roleInWords[tracked.role]}` : 'Track'}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      entries={
        tracked
          ? [
              {
                id: 'open',
                name: 'Open its workstation',
                onAction: () => void navigate({ to: '/aso/$appId', params: { appId: tracked.appId } }),
              },
              ...roles
                .filter(({ role }) => role !== tracked.role)
                .map(({ role }) => ({
                  id: role,
                  name: `Change role to ${roleInWords[role].toLowerCase()}`,
                  onAction: () => change.mutate({ appId: tracked.appId, role }),
                })),
            ]
          : roles.map(({ role, track: does }) => ({
              id: role,
              name: does,
              onAction: () => track.mutate({ app: storeId, country, role }),
            }))
      }
    />
  )
}
