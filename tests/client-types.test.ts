import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CallOf,
  type ListCall,
  type Operations,
  type ProblemCode,
  Rivalscope,
  RivalscopeProblem,
  ServerUnreachable,
  type Tool,
  type WorkCall,
  WorkNotDone,
} from '../src/client/client.ts'
import { contract } from '../src/contract/contract.ts'
import type { problems } from '../src/contract/problems.ts'

/**
 * What the compiler says to whoever uses the client. Nothing here is asked of a service: a call that should not compile fails
 * `npm run check` as soon as it does. tests/install/client-package.test.ts compares these types with those of the package.
 */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
const same = <One, Other>(answer: Same<One, Other>): void => assert.ok(answer)

/** Calls that are compiled and never made. */
const compiled = (_calls: (rivalscope: Rivalscope) => unknown): void => {}

type Reply<T extends Tool> = Operations[T]['reply']
type Item<T extends Tool> = Operations[T]['item']

test('every operation of the contract has its types, and no other', () => {
  same<Tool, keyof typeof contract>(true)
  same<keyof Operations, keyof typeof contract>(true)
  // @ts-expect-error it is no operation
  assert.ok(!(('get_weather' satisfies Tool) in contract))
})

test('arguments are those of the row: what is needed is needed, and nothing else is taken', () =>
  compiled((rivalscope) => {
    rivalscope.searchCompetitors()
    rivalscope.searchCompetitors({ q: 'budget', country: 'jp', limit: 5, charting: 'yes' })
    // @ts-expect-error a number is no text
    rivalscope.searchCompetitors({ q: 5 })
    // @ts-expect-error it is no argument
    rivalscope.searchCompetitors({ query: 'budget' })
    // @ts-expect-error it is none of the choices
    rivalscope.searchCompetitors({ sort: 'random' })
    rivalscope.getCompetitor({ storeId: '1' })
    // @ts-expect-error nobody knows which app
    rivalscope.getCompetitor()
    // @ts-expect-error nobody knows which app
    rivalscope.getCompetitor({ country: 'us' })
    rivalscope.trackAsoApp({ app: '1', role: 'own' })
    // @ts-expect-error the role is missing
    rivalscope.trackAsoApp({ app: '1' })
    // @ts-expect-error it is no role
    rivalscope.trackAsoApp({ app: '1', role: 'friend' })
    // @ts-expect-error it is no operation
    rivalscope.getWeather()
  }))

test('what has one possible value may be left out, and no other takes its place', () =>
  compiled((rivalscope) => {
    rivalscope.getCompetitorMedia({ storeId: '1' })
    rivalscope.getCompetitorMedia({ platform: 'ios', storeId: '1' })
    // @ts-expect-error there is one platform
    rivalscope.getCompetitorMedia({ platform: 'android', storeId: '1' })
  }))

test('a client calls with a key or with a session, and not with both', () =>
  compiled(() => {
    const server = 'http://127.0.0.1:8787'
    new Rivalscope({ server, key: 'rsk_1' })
    new Rivalscope({ server, session: true })
    // @ts-expect-error nobody knows who calls
    new Rivalscope({ server })
    // @ts-expect-error nobody knows as whom it calls
    new Rivalscope({ server, key: 'rsk_1', session: true })
  }))

test('a call can be ended or repeated, and takes no other options', () =>
  compiled((rivalscope) => {
    rivalscope.getAppleCharts({}, { signal: AbortSignal.timeout(1) })
    rivalscope.refreshAsoApp({ appId: '1' }, { idempotencyKey: 'refresh-1' })
    // @ts-expect-error the client decides how long it tries
    rivalscope.getAppleCharts({}, { timeout: 1 })
  }))

test('a call of a list can be gone through, one of work waited for, any other only awaited', () => {
  same<CallOf<'get_apple_charts'>, ListCall<Reply<'get_apple_charts'>, Item<'get_apple_charts'>>>(true)
  same<CallOf<'refresh_competitor_estimates'>, WorkCall<Reply<'refresh_competitor_estimates'>>>(true)
  same<CallOf<'get_competitor'>, Promise<Reply<'get_competitor'>>>(true)
  same<Item<'get_competitor'>, never>(true)
  compiled(async (rivalscope) => {
    for await (const { rank, app } of rivalscope.getAppleCharts()) {
      same<typeof rank, number>(true)
      same<typeof app.storeId, string>(true)
    }
    for await (const { items } of rivalscope.getAppleCharts().pages())
      same<(typeof items)[0]['rank'], number>(true)
    const { status } = await rivalscope.refreshCompetitorEstimates({ storeId: '1' }).ended()
    same<typeof status, 'queued' | 'running' | 'succeeded' | 'partial' | 'failed'>(true)
    // @ts-expect-error it is about one app
    for await (const _ of rivalscope.getCompetitor({ storeId: '1' })) return
    // @ts-expect-error it starts no work
    await rivalscope.getCompetitor({ storeId: '1' }).ended()
    // @ts-expect-error it is no list
    rivalscope.refreshCompetitorEstimates({ storeId: '1' }).pages()
  })
})

test('a reply is that of its operation, in the three states', () => {
  same<Reply<'remove_aso_app'>, undefined>(true)
  compiled(async (rivalscope) => {
    const { storeId, developer, ...rest } = await rivalscope.getCompetitor({ storeId: '1' })
    same<typeof storeId, string>(true)
    if ('value' in developer) same<typeof developer.value, string>(true)
    // @ts-expect-error whether there is a value has to be looked at first
    void developer.value.length
    // @ts-expect-error a record has no such field
    void rest.weather
  })
})

test('failures are told apart by their class, and problems by their code', () => {
  same<ProblemCode, keyof typeof problems>(true)
  compiled((rivalscope) =>
    rivalscope.getCompetitor({ storeId: '1' }).catch((error: unknown) => {
      if (error instanceof RivalscopeProblem) {
        same<typeof error.code, ProblemCode>(true)
        same<typeof error.retryAfterSeconds, number | null>(true)
        // @ts-expect-error it is no code
        if (error.code === 'out-of-tea') return
      }
      if (error instanceof ServerUnreachable)
        same<typeof error.reason, 'no-connection' | 'timeout' | 'redirected' | 'not-rivalscope'>(true)
      if (error instanceof WorkNotDone) same<typeof error.reason, 'failed' | 'out-of-sight'>(true)
    }),
  )
})
