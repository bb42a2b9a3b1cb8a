import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pagesOfSite } from '../site/pages.ts'
import { searchVolumeHint, searchVolumePage } from '../src/vocabulary/search-volume.ts'
import { run } from './support/in-process.ts'
import { connectMcp } from './support/mcp.ts'
import { openWorld, type World } from './support/world.ts'

/** There is no search volume here; whoever asks for it is led to the page that says why. */

const parts = new AsyncDisposableStack()
let world: World
before(async () => {
  world = parts.use(await openWorld())
})
after(() => parts.disposeAsync())

test('the page that refusals name is a page of the documentation', () => {
  const root = new URL('..', import.meta.url).pathname
  const pages = pagesOfSite(root).map(({ address }) => `/docs/${address}`)
  assert.ok(pages.includes(searchVolumePage))
})

test('names that mean a number of searches are told from all others', () => {
  for (const name of [
    'volume',
    'searchVolume',
    'search_volume',
    'keywords.popularity',
    'trafficScore',
    'search-popularity',
    'monthlySearches',
  ])
    assert.notEqual(searchVolumeHint(name), '', name)
  for (const name of [
    '',
    'name',
    'searched',
    'volatility',
    'ratingCount',
    'volumes of text',
    'searches.status',
  ])
    assert.equal(searchVolumeHint(name), '', name)
})

test('a filter, an order and a field that mean it are refused with the way to the page', async () => {
  const filter = await world.call('search_competitors', { searchVolume: 50 } as never)
  const order = await world.call('search_competitors', { sort: 'popularity' } as never)
  const other = await world.call('search_competitors', { colour: 'red', sort: 'size' } as never)
  assert.deepEqual([filter.status, order.status, other.status], [400, 400, 400])
  for (const { body } of [filter, order])
    assert.ok(messagesOf(body).includes(searchVolumePage), messagesOf(body))
  assert.ok(!messagesOf(other.body).includes(searchVolumePage))
})

test('an agent is told in the refusal, and finds the steps as a prompt', async () => {
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await using agent = await connectMcp(address, await world.key())
  const { failed, text } = await agent.call('search_competitors', { fields: ['name', 'searchVolume'] })
  assert.ok(failed)
  assert.ok(text.includes(searchVolumePage), text)
  const { messages } = await agent.client.getPrompt({
    name: 'choose_keywords',
    arguments: { app: '281796108' },
  })
  assert.ok(JSON.stringify(messages).includes(searchVolumePage))
})

test('the command line says so where fields are chosen, and in the help of keywords', async () => {
  const [field, help, other] = await Promise.all([
    run(['explore-aso-keyword', 'tide', '--fields', 'popularity']),
    run(['explore-aso-keyword', '--help']),
    run(['get-apple-charts', '--help']),
  ])
  assert.equal(field.code, 2)
  assert.ok(field.err.includes(searchVolumePage), field.err)
  assert.ok(help.out.includes(searchVolumePage))
  assert.ok(!other.out.includes(searchVolumePage))
})

const messagesOf = (body: unknown) =>
  ((body as { errors?: { message: string }[] }).errors ?? []).map(({ message }) => message).join('\n')
