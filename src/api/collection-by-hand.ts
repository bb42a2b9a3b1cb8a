import { z } from 'zod'
import { Country, StoreId } from '../contract/shapes/primitives.ts'
import { type Asked, batchesOf } from '../jobs/collecting/asked.ts'
import { Schedule, scheduledCharts } from '../jobs/schedule.ts'
import { longestTerm, normaliseTerm, termRefusalOf } from '../text/keyword-term.ts'
import { chartKinds } from '../vocabulary/chart-kinds.ts'
import { devices } from '../vocabulary/devices.ts'
import { compileBody } from './input.ts'
import { refuseInput } from './problem.ts'

/** Requests to upstreams that one write may ask for. */
const mostAsked = 200

/** What each kind is of, beside its storefronts. */
const subjectsOf = {
  charts: ['charts', 'categories', 'devices'],
  apps: ['storeIds'],
  pages: ['storeIds'],
  searches: ['terms'],
  'search-pages': ['terms'],
  hints: ['terms'],
} as const

export const readCollection = compileBody(
  z.strictObject({
    what: z.enum(Object.keys(subjectsOf) as [keyof typeof subjectsOf]),
    countries: z.array(Country).min(1).max(mostAsked),
    /** All of them when left out; the whole store, and iPhone. */
    charts: z.array(z.enum(chartKinds)).min(1).optional(),
    categories: z.array(z.int().positive().max(999_999)).min(1).max(mostAsked).optional(),
    devices: z.array(z.enum(devices)).min(1).optional(),
    storeIds: z.array(StoreId).min(1).max(mostAsked).optional(),
    terms: z.array(z.string().min(1).max(longestTerm)).min(1).max(mostAsked).optional(),
  }),
)
type Collection = ReturnType<typeof readCollection>

const termWhat = { searches: 'search', 'search-pages': 'searchPage', hints: 'hints' } as const

/**
 * The requests that a collection takes, as the command `collect` of the same name makes them.
 * @throws Problem `invalid-request`
 */
export function askedBy(collection: Collection): Asked[] {
  const { what } = collection
  refuseStrangers(collection)
  const asked = [...new Set(collection.countries)].flatMap((country) => askedIn(country, collection))
  if (asked.length > mostAsked)
    refuseInput([
      {
        pointer: '/body',
        message: `asks for ${asked.length} requests, and at most ${mostAsked} go at once. A schedule takes more`,
      },
    ])
  if (asked.length === 0) refuseInput([{ pointer: `/body/${subjectsOf[what][0]}`, message: 'is missing' }])
  return asked
}

function askedIn(country: Collection['countries'][number], collection: Collection): Asked[] {
  const { what, charts, categories, devices: named, storeIds = [], terms = [] } = collection
  if (what === 'apps')
    return batchesOf([...new Set(storeIds)]).map((batch) => ({ what, country, storeIds: batch }))
  if (what === 'pages') return [...new Set(storeIds)].map((storeId) => ({ what: 'page', country, storeId }))
  if (what !== 'charts') return [...new Set(terms)].map((term) => ({ what: termWhat[what], country, term }))
  const chosen = {
    countries: [country],
    ...(charts ? { charts } : {}),
    ...(categories ? { categories } : {}),
    ...(named ? { devices: named } : {}),
  }
  return scheduledCharts(Schedule.parse({ charts: [chosen] })).map(({ everyHours: _, ...chart }) => ({
    what: 'chart',
    ...chart,
  }))
}

/** Refuses fields that go with another kind, and terms that nobody can search for. */
function refuseStrangers(collection: Collection): void {
  const { what, countries, terms = [] } = collection
  const known: readonly string[] = ['what', 'countries', ...subjectsOf[what]]
  const errors = Object.keys(collection)
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: `/body/${name}`, message: `does not go with ${what}` }))
  for (const [at, term] of terms.entries())
    if (countries.some((country) => termRefusalOf(normaliseTerm(term, country)) !== undefined))
      errors.push({ pointer: `/body/terms/${at}`, message: 'is nothing that anybody can search for' })
  if (errors.length > 0) refuseInput(errors)
}
