import { useWrite } from '../../api/operations.ts'
import type { IntakeFailure } from '../../evidence/shapes.ts'
import { workStatusInWords } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/parts.tsx'
import type { EmergingApp } from './emerging-search.ts'

/** In few words, for a badge. */
const failureInWords: Record<IntakeFailure, string> = {
  'not-found-in-store': 'Apple does not know it',
  'not-sold-in-storefront': 'Not sold in this storefront',
  'not-an-ios-app': 'Not an iOS app',
  'source-failed': 'Apple did not answer',
}

/** Takes an app that only charts showed into the catalogue, and says how far that is. */
export function TakeIn({ candidate: { app, country, intake } }: { candidate: EmergingApp }) {
  const takeIn = useWrite('request_ios_competitor', { changes: ['list_emerging_ios_competitors'] })
  if (app.catalogued) return null
  const failure = takeIn.data?.failure
  if (failure) return <Badge tone="bad">Not taken in: {failureInWords[failure]}</Badge>
  const status = intake?.status ?? takeIn.data?.status
  if (status) return <Badge tone="accent">Taking in: {workStatusInWords[status].toLowerCase()}</Badge>
  return (
    <Button
      small
      aria-label={`Take in: ${app.name ?? `App ${app.storeId}`}`}
      isPending={takeIn.isPending}
      onPress={() => takeIn.mutate({ app: app.storeId, country })}
    >
      Take in
    </Button>
  )
}
