import type { Listing } from './listing.ts'
import type { ListedPlace } from './similar-lists.ts'
import type { ChartTogether, NeighbourInResults } from './similar-queries.ts'
import type { ReasonKind } from './similar-reasons.ts'

/** Whether one kind of reason could be looked at. */
export interface Basis {
  kind: ReasonKind | 'same-developer'
  state: 'measured' | 'not-measured'
  detail: string
}

export interface LookedAt {
  listed: readonly ListedPlace[]
  developer: { id: string | null; name: string | null }
  charts: readonly ChartTogether[]
  beside: readonly NeighbourInResults[]
  /** Places of a result page that count. */
  places: number
  listing: Partial<Listing> | undefined
}

export function basisOf({ listed, developer, charts, beside, places, listing }: LookedAt): Basis[] {
  const looked = charts.reduce((sum, { own }) => sum + own.filter((rank) => rank !== null).length, 0)
  const known = developer.id !== null || developer.name !== null
  return [
    appleBasis(listed.filter(({ kind }) => kind === 'similar')),
    {
      kind: 'same-developer',
      state: known ? 'measured' : 'not-measured',
      detail: known ? (developer.id ? 'by developer id' : 'by developer name') : 'the developer is not known',
    },
    sharedBasis(beside[0]?.looked, places),
    {
      kind: 'charting-together',
      state: looked ? 'measured' : 'not-measured',
      detail: looked
        ? `${looked} category chart snapshots`
        : 'no category chart showed the app within 90 days of the newest snapshot',
    },
    {
      kind: 'similar-text',
      state: listing ? 'measured' : 'not-measured',
      detail: !listing
        ? 'no listing of the storefront is stored'
        : listing.description
          ? 'names, subtitles and descriptions'
          : 'names and subtitles; no description is stored',
    },
  ]
}

function sharedBasis(looked: number | undefined, places: number): Basis {
  const first = `this app in the first ${places} results`
  return looked
    ? {
        kind: 'shared-keywords',
        state: 'measured',
        detail: `newest result pages of ${looked} ${looked === 1 ? 'term' : 'terms'} with ${first}`,
      }
    : {
        kind: 'shared-keywords',
        state: 'not-measured',
        detail: `no newest result page of the storefront has ${first} beside another`,
      }
}

function appleBasis(similar: readonly ListedPlace[]): Basis {
  const own = similar.find((place) => place.own)
  const others = similar.filter((place) => !place.own).length
  const naming =
    others === 0
      ? ''
      : `; ${others === 1 ? 'one list' : `${others} lists`} of other apps ${others === 1 ? 'names' : 'name'} it`
  return own
    ? {
        kind: 'apple-list',
        state: 'measured',
        detail: `Apple's list of ${own.places}, observed at ${own.observedAt.toISOString()}${naming}`,
      }
    : { kind: 'apple-list', state: 'not-measured', detail: `Apple's own list was not collected${naming}` }
}
