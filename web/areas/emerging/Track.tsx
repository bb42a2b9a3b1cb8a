import { notify } from '../../api/notices.ts'
import { useWrite } from '../../api/operations.ts'
import { apart } from '../../evidence/format.ts'
import type { AppLabel, Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { roleInWords } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/parts.tsx'

const changes = ['list_aso_apps'] as const

/** Tracks an app as a rival, or watches it, with one click; the notice takes it back. */
export function Track({
  app,
  country,
  tracked,
}: {
  app: AppLabel
  country: Country
  tracked: TrackedAppSummary | undefined
}) {
  const name = app.name ?? `App ${app.storeId}`
  const track = useWrite('track_aso_app', { changes })
  const remove = useWrite('remove_aso_app', { changes })
  if (tracked) return <Badge tone="accent">{roleInWords[tracked.role]}</Badge>
  const start = (role: 'rival' | 'watched') =>
    track.mutate(
      { app: app.storeId, country, role },
      {
        onSuccess: ({ appId }) =>
          notify({
            kind: 'done',
            text: role === 'rival' ? `${apart(name)} is tracked as a rival.` : `${apart(name)} is watched.`,
            undo: () => remove.mutate({ appId }),
          }),
      },
    )
  const pending = track.isPending ? track.variables.role : undefined
  return (
    <>
      <Button
        small
        aria-label={`Track as rival: ${name}`}
        isPending={pending === 'rival'}
        isDisabled={pending === 'watched'}
        onPress={() => start('rival')}
      >
        Track as rival
      </Button>
      <Button
        small
        look="bare"
        aria-label={`Watch: ${name}`}
        isPending={pending === 'watched'}
        isDisabled={pending === 'rival'}
        onPress={() => start('watched')}
      >
        Watch
      </Button>
    </>
  )
}
