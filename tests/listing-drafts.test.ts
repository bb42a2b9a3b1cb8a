import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import type { DraftCoverageShown } from '../src/api/draft-coverage.ts'
import type { DraftShown } from '../src/api/listing-drafts.ts'
import { openFolder } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { operate } from './support/operator.ts'
import { storeTracked } from './support/tracking.ts'
import { WebBrowser } from './support/web-browser.ts'
import { openWorld, type Reply, type World } from './support/world.ts'
import { entriesOf } from './support/zip-entries.ts'

/** Planned listings as the pages ask for them. Each test has accounts of its own. */

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
  await storeListings(world, [
    { trackId: 901, trackName: 'Tide Planner', country: 'us', observedAt: '2026-03-01T00:00:00Z' },
  ])
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

type Body = Partial<DraftShown & DraftCoverageShown> & {
  items?: DraftShown[]
  code?: string
  errors?: { pointer: string; message: string }[]
}

const app = { storeId: '901', country: 'us' }
const ofApp = `storeId=901&country=us`

/** Asks as somebody of an account, which tracks the app if it is given keywords. */
async function person(account: string, keywords?: string[], scopes?: string[]) {
  const authorization = `Bearer ${await world.key(scopes, account)}`
  if (keywords) await storeTracked(world, { storeId: '901', account, keywords })
  return (method: InjectOptions['method'], url: string, payload?: object): Promise<Reply<Body>> =>
    world.request<Body>({
      ...{ method, url, headers: { authorization } },
      ...(payload ? { payload } : {}),
    } as InjectOptions)
}

const draft = (texts: object, version: number | null = null, name = 'Summer') => ({
  ...app,
  ...{ name, texts, version },
})

const refusedAt = ({ status, body }: Reply<Body>) => [
  status,
  ...(body.errors ?? []).map(({ pointer }) => pointer),
]

async function tell(account: string) {
  const texts = {
    'en-US': { name: 'Tide Planner', subtitle: 'Waves for surfers', keywords: 'harbour, moon' },
    'es-MX': { name: 'Mareas', keywords: 'luna,moon' },
  }
  const files = [folder.write('texts.json', JSON.stringify(texts))]
  const options = { files, app: '901', account, observedAt: '2026-03-02' }
  assert.equal((await operate(world, { command: 'import listing', options })).code, 0)
}

test('a draft is kept, changed by who saw its version, listed for its account alone, and removed', async () => {
  const [ask, other] = [await person('planner', ['tide planner']), await person('other', ['tide planner'])]
  const url = `/listing-drafts/${randomUUID()}`
  const made = await ask('PUT', url, draft({ 'en-US': { name: 'Tide Clock' } }))
  assert.deepEqual([made.status, made.body.version, made.headers['cache-control']], [201, 1, 'no-store'])
  // Its answer was lost: the same is not a conflict, and changes nothing.
  const again = await ask('PUT', url, draft({ 'en-US': { name: 'Tide Clock' } }))
  assert.deepEqual([again.status, again.body.version], [200, 1])
  const texts = {
    'es-MX': { 'keyword-field': 'luna,mar' },
    'en-US': { name: '', subtitle: '<b>家計簿：tides</b>' },
  }
  const changed = await ask('PUT', url, draft(texts, 1, 'Autumn'))
  assert.deepEqual([changed.status, changed.body.version, changed.body.name], [200, 2, 'Autumn'])

  const stale = await ask('PUT', url, draft({}, 1))
  assert.deepEqual([stale.status, stale.body.code], [409, 'draft-changed'])
  assert.equal((await ask('DELETE', `${url}?version=1`)).body.code, 'draft-changed')
  const { items = [] } = (await ask('GET', `/listing-drafts?${ofApp}`)).body
  assert.deepEqual(items, [changed.body])
  assert.deepEqual(items[0]?.texts, texts, 'texts are kept as they are typed')

  assert.deepEqual((await other('GET', `/listing-drafts?${ofApp}`)).body.items, [])
  assert.deepEqual(refusedAt(await other('PUT', url, draft({}))), [400, '/path/id'])
  assert.equal((await other('PUT', url, draft({}, 2))).status, 409)
  assert.equal((await other('DELETE', `${url}?version=2`)).status, 404)
  assert.equal((await other('GET', `${url}/fastlane.zip`)).status, 404)
  assert.equal((await ask('DELETE', `${url}?version=2`)).status, 204)
  assert.equal((await ask('DELETE', `${url}?version=2`)).status, 404)
  assert.equal((await ask('PUT', url, draft({}, 2))).body.code, 'draft-changed', 'it was removed meanwhile')
  const { out } = await operate(world, { command: 'audit', options: { account: 'planner', json: true } })
  const written = out.trim().split('\n')
  assert.deepEqual(
    written.map((line) => JSON.parse(line).outcome),
    ['created', 'known', 'done', 'removed'],
  )
  assert.doesNotMatch(out, /tides|luna,mar/)
})

test('what a draft cannot be is refused by its name, and nothing of it is stored', async () => {
  const ask = await person('wrong', ['tide planner'])
  const url = `/listing-drafts/${randomUUID()}`
  const refusals: [body: object, at: string][] = [
    [{ ...draft({}), storeId: 'x' }, '/body/storeId'],
    [{ ...draft({}), country: 'xx' }, '/body/country'],
    [draft({}, null, '  '), '/body/name'],
    [draft({}, null, 'x'.repeat(101)), '/body/name'],
    [draft({}, 0), '/body/version'],
    [draft({ 'de-DE': { name: 'Gezeiten' } }), '/body/texts/de-DE'],
    [draft(JSON.parse('{"__proto__":{"name":"x"}}')), '/body'],
    [draft({ constructor: { name: 'x' } }), '/body/texts/constructor'],
    [draft({ 'en-US': { description: 'x' } }), '/body/texts/en-US/description'],
    [draft({ 'en-US': { name: 'x'.repeat(61) } }), '/body/texts/en-US/name'],
    [draft({ 'en-US': { 'keyword-field': 'x'.repeat(201) } }), '/body/texts/en-US/keyword-field'],
    [draft({ 'en-US': { subtitle: 'a\u0000b' } }), '/body/texts/en-US/subtitle'],
    [draft({ 'en-US': { subtitle: 'a\nb' } }), '/body/texts/en-US/subtitle'],
    [draft({ 'en-US': { name: `a${'\u0301'.repeat(40)}` } }), '/body/texts/en-US/name'],
    [draft({ 'en-US': { name: 7 } }), '/body/texts/en-US/name'],
  ]
  for (const [body, at] of refusals) assert.deepEqual(refusedAt(await ask('PUT', url, body)), [400, at])
  const { errors } = (await ask('PUT', url, draft({}, null, 'x'.repeat(101)))).body
  assert.equal(errors?.[0]?.message, 'has more than 100 characters')
  assert.deepEqual(refusedAt(await ask('PUT', '/listing-drafts/mine', draft({}))), [400, '/path/id'])
  assert.deepEqual(refusedAt(await ask('GET', '/listing-drafts?storeId=901')), [400, '/query/country'])
  assert.deepEqual(refusedAt(await ask('DELETE', url)), [400, '/query/version'])
  assert.equal((await ask('PUT', url, draft({ 'en-US': { name: 'x'.repeat(20_000) } }))).status, 413)
  assert.equal((await ask('PUT', url, { ...draft({}), storeId: '902' })).body.code, 'tracked-app-not-found')
  assert.equal((await ask('POST', '/listing-drafts', {})).status, 405)
  assert.deepEqual((await ask('GET', `/listing-drafts?${ofApp}`)).body.items, [])
})

test('an app has twenty drafts in a storefront, and two that are made at once do not both take the last place', async () => {
  const ask = await person('many', ['tide planner'])
  for (let made = 0; made < 19; made++)
    assert.equal((await ask('PUT', `/listing-drafts/${randomUUID()}`, draft({}))).status, 201)
  const last = await Promise.all([1, 2].map(() => ask('PUT', `/listing-drafts/${randomUUID()}`, draft({}))))
  assert.deepEqual(last.map(({ status }) => status).toSorted(), [201, 400])
})

test('of two who change the same version at once one is refused', async () => {
  const ask = await person('two tabs', ['tide planner'])
  const url = `/listing-drafts/${randomUUID()}`
  await ask('PUT', url, draft({}))
  const names = ['First tab', 'Second tab']
  const replies = await Promise.all(names.map((name) => ask('PUT', url, draft({}, 1, name))))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
})

test('a key needs its scopes, and a session asks from our own pages alone', async () => {
  const reader = await person('scopes', ['tide planner'], ['context:read'])
  const writer = await person('scopes', undefined, ['content:write'])
  const url = `/listing-drafts/${randomUUID()}`
  assert.equal((await reader('PUT', url, draft({}))).body.code, 'scope-missing')
  assert.equal((await reader('DELETE', `${url}?version=1`)).body.code, 'scope-missing')
  assert.equal((await writer('PUT', url, draft({}))).status, 201)
  assert.equal((await writer('GET', `/listing-drafts?${ofApp}`)).body.code, 'scope-missing')
  assert.equal(
    (await writer('POST', '/listing-drafts/coverage', { ...app, texts: {} })).body.code,
    'scope-missing',
  )
  assert.equal((await writer('GET', `${url}/fastlane.zip`)).body.code, 'scope-missing')
  assert.equal((await world.request({ method: 'GET', url: `/listing-drafts?${ofApp}` })).status, 401)
  const browser = new WebBrowser(world)
  await browser.signIn(await world.key(undefined, 'scopes'))
  const payload = draft({}, 1, 'From the page')
  const headers = { origin: 'https://elsewhere.example' }
  assert.equal((await browser.ask<Body>('PUT', url, { payload, headers })).body.code, 'origin-refused')
  assert.equal((await browser.ask<Body>('PUT', url, { payload })).status, 200)
})

test('the coverage of planned texts is told beside the own listing, which stays as it is', async () => {
  const terms = ['tide planner', 'harbour luna', 'moon waves', 'tide clock']
  const ask = await person('covered', terms)
  await tell('covered')
  const asked = {
    ...app,
    texts: { 'en-US': { name: 'Tide Clock' }, 'es-MX': { 'keyword-field': 'luna, harbour' } },
  }
  const { status, body } = await ask('POST', '/listing-drafts/coverage', asked)
  assert.equal(status, 200)
  assert.deepEqual(body.told, { at: '2026-03-02T00:00:00.000Z', imports: 1 })
  assert.deepEqual(body.counts, {
    total: 4,
    before: { 'one-field': 1, 'across-fields': 1, likely: 0, split: 1, uncovered: 1 },
    after: { 'one-field': 2, 'across-fields': 1, likely: 0, split: 0, uncovered: 1 },
  })
  assert.deepEqual(
    body.keywords?.map(({ term, change }) => [term, change]),
    [
      ['tide planner', 'lost'],
      ['harbour luna', 'won'],
      ['tide clock', 'won'],
      ['moon waves', 'unchanged'],
    ],
  )
  assert.deepEqual(
    body.edits?.map(({ localization, field, coverCount, loseCount }) => [
      localization,
      field,
      coverCount,
      loseCount,
    ]),
    [
      ['en-US', 'name', 1, 1],
      ['es-MX', 'keyword-field', 1, 0],
    ],
  )
  assert.deepEqual(body.wasted, [
    { localization: 'en-US', parts: [{ kind: 'spaces', what: [], characters: 1, bytes: 1 }] },
    { localization: 'es-MX', parts: [{ kind: 'spaces', what: [], characters: 1, bytes: 1 }] },
  ])
  assert.deepEqual(body.localizations?.[0]?.texts[0], { field: 'name', text: 'Tide Planner', from: 'told' })
  assert.match(body.practice ?? '', /Apple does not document/)
  assert.deepEqual((await ask('GET', `/listing-drafts?${ofApp}`)).body.items, [])
})

test('without an own listing the name that the store shows is compared with, and says so', async () => {
  const ask = await person('untold', ['tide planner'])
  const { body } = await ask('POST', '/listing-drafts/coverage', {
    ...app,
    texts: { 'en-US': { name: 'Waves' } },
  })
  assert.equal(body.told, null)
  const [english, other] = body.localizations ?? []
  assert.deepEqual(english?.texts[0], { field: 'name', text: 'Tide Planner', from: 'public' })
  assert.deepEqual(english?.texts[2], { field: 'keyword-field', text: null, from: null })
  assert.ok(other?.texts.every(({ text, from }) => text === null && from === null))
  assert.deepEqual(
    body.keywords?.map(({ term, change }) => [term, change]),
    [['tide planner', 'lost']],
  )
})

test('a draft is compared with another of the same app, and with none of others', async () => {
  const [ask, other] = [await person('compares', ['tide clock']), await person('compares not', ['tide clock'])]
  const against = randomUUID()
  await ask('PUT', `/listing-drafts/${against}`, draft({ 'en-US': { name: 'Tide Clock' } }))
  const asked = { ...app, against, texts: {} }
  const { body } = await ask('POST', '/listing-drafts/coverage', asked)
  assert.deepEqual(body.against, { draftId: against, name: 'Summer' })
  assert.deepEqual(
    body.keywords?.map(({ term, change }) => [term, change]),
    [['tide clock', 'lost']],
  )
  assert.deepEqual(
    body.edits?.map(({ field, loses }) => [field, loses]),
    [['name', ['tide clock']]],
  )
  assert.equal((await other('POST', '/listing-drafts/coverage', asked)).status, 404)
  for (const elsewhere of [{ storeId: '902' }, { country: 'gb' }])
    assert.equal((await ask('POST', '/listing-drafts/coverage', { ...asked, ...elsewhere })).status, 404)
  assert.deepEqual(refusedAt(await ask('POST', '/listing-drafts/coverage', { ...asked, against: 'x' })), [
    400,
    '/body/against',
  ])
  assert.deepEqual(
    refusedAt(await ask('POST', '/listing-drafts/coverage', { ...asked, texts: { tlh: { name: 'x' } } })),
    [400, '/body/texts/tlh'],
  )
})

test('the folder for the store holds the texts of the draft as they are typed, and no others', async () => {
  const ask = await person('takes out', ['tide planner'])
  const id = randomUUID()
  const texts = { 'en-US': { name: 'Tide Clock', 'keyword-field': '' }, 'es-MX': { subtitle: '=cmd|🌊' } }
  await ask('PUT', `/listing-drafts/${id}`, draft(texts))
  const authorization = `Bearer ${await world.key(undefined, 'takes out')}`
  const reply = await world.server.inject({
    method: 'GET',
    url: `/listing-drafts/${id}/fastlane.zip`,
    headers: { authorization },
  })
  assert.equal(reply.headers['content-type'], 'application/zip')
  const entries = entriesOf(reply.rawPayload)
  assert.deepEqual(
    [...entries].map(([name, content]) => [name, content.toString()]),
    [
      ['metadata/en-US/name.txt', 'Tide Clock'],
      ['metadata/en-US/keywords.txt', ''],
      ['metadata/es-MX/subtitle.txt', '=cmd|🌊'],
    ],
  )
})

test('with its account a draft is gone', async () => {
  const { db } = world.store
  const [account, id] = [randomUUID(), randomUUID()]
  await sql`insert into accounts (account_id, name) values (${account}, 'leaves')`.execute(db)
  await sql`
    insert into listing_drafts (draft_id, account_id, store_id, country, name, texts)
    values (${id}, ${account}, 901, 'us', 'Summer', '{}')`.execute(db)
  await sql`delete from accounts where account_id = ${account}`.execute(db)
  const left = await sql`select from listing_drafts where draft_id = ${id}`.execute(db)
  assert.equal(left.rows.length, 0)
})
