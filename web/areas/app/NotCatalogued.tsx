import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { invalidateReads, read, useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { countryName, momentText } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { addAppFailureInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Empty, Page, Panel } from '../../ui/parts.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'

const pollMs = 1_500

/**
 * The taking-in of an app for a storefront, which goes on after a reload; once it is done, what was read about the app is
 * read anew.
 */
function useAddApp(storeId: string, country: Country) {
  const queries = useQueryClient()
  const requests = useQuery({
    ...read('list_competitor_data_requests', { storeId, limit: 1 }),
    refetchInterval: ({ state }) =>
      isUnderWay(state.data?.intakes.find((one) => one.country === country)) ? pollMs : false,
  })
  const intake = requests.data?.intakes.find((one) => one.country === country)
  const request = useWrite('request_ios_competitor', {
    changes: ['list_competitor_data_requests', 'get_competitor'],
  })
  const finishedAt = intake?.status === 'succeeded' ? intake.finishedAt : null
  useEffect(() => {
    if (finishedAt) void invalidateReads(queries, ['get_competitor', 'search_competitors'])
  }, [finishedAt, queries])
  return { intake, request }
}

/** The page of an app that is not in the catalogue: how its intake stands, and the way to take it in. */
export function NotCatalogued({
  storeId,
  country,
  isBeingTakenIn,
}: {
  storeId: string
  country: Country
  /** Whether anybody's intake of it is under way. */
  isBeingTakenIn: boolean
}) {
  const mayWrite = useHasScope('content:write')
  const asksForData = useMatchRoute()({ to: '/apps/$storeId/requests', params: { storeId } })
  return (
    <Page title={`App ${storeId}`} subtitle={countryName(country)}>
      <Panel title="App not added yet">
        <Empty
          title={
            isBeingTakenIn
              ? 'Looking up the app in the App Store'
              : `No data for this app in ${countryName(country)} yet`
          }
          action={mayWrite && <AddAppButton storeId={storeId} country={country} />}
        >
          {isBeingTakenIn
            ? 'Its page opens once the App Store has answered.'
            : 'Check the App Store ID, or add the app to look it up in the App Store.'}
        </Empty>
      </Panel>
      {asksForData ? (
        <Outlet />
      ) : (
        <p className="quiet">
          <Link to="/apps/$storeId/requests" params={{ storeId }}>
            Request data
          </Link>{' '}
          without adding the app: the operator sees the request, and nothing is collected yet.
        </p>
      )}
    </Page>
  )
}

/** The button that takes an app in, and how far that is. */
export function AddAppButton({ storeId, country }: { storeId: string; country: Country }) {
  const { intake, request } = useAddApp(storeId, country)
  const shown = request.data && !intake ? request.data : intake
  return (
    <div className="stack center gap-2">
      {shown && shown.status !== 'succeeded' && <WorkProgress work={shown} name="Adding the app" />}
      {shown?.failure && (
        <p role="status">
          {addAppFailureInWords[shown.failure]}{' '}
          {shown.finishedAt && <span className="quiet">Last tried {momentText(shown.finishedAt)}.</span>}
        </p>
      )}
      {!isUnderWay(shown) && (
        <Button
          look="primary"
          isPending={request.isPending}
          onPress={() => request.mutate({ app: storeId, country })}
        >
          {shown?.failure ? 'Try again' : 'Add app'}
        </Button>
      )}
      {shown?.failure === 'not-sold-in-storefront' && <LinkButton to="/apps">Search apps</LinkButton>}
    </div>
  )
}
