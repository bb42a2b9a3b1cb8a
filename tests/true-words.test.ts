import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { contract } from '../src/contract/contract.ts'
import { AdLinkBody } from '../src/contract/shapes/ad-imports.ts'
import { IntakeSummary } from '../src/contract/shapes/competitors.ts'
import { adImport } from '../src/domain/paid-ads/imports/import-run.ts'
import { performAdImport } from '../src/jobs/kinds/ad-import.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp, type McpClient } from './support/mcp.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let agent: McpClient
before(async () => {
  world = await openWorld()
  agent = await connectMcp(await world.server.listen({ host: '127.0.0.1', port: 0 }), await world.key())
  await storeListings(world, [{ trackId: 901, trackName: 'Tides', observedAt: '2026-03-01T08:00:00Z' }])
})
after(async () => {
  await agent[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const firstLine = (text: string) => text.split('\n')[0]

test('a decision that is withdrawn is said to be withdrawn, in the reply and in the record of writes', async () => {
  const decide = (action: string) =>
    agent.call('admin_link_paid_ads', { action, platform: 'meta', advertiserId: '501', competitor: '901' })
  assert.equal(firstLine((await decide('unlink')).text), 'Recorded.')
  assert.equal(firstLine((await decide('unlink')).text), 'It was recorded already.')
  assert.equal(firstLine((await decide('withdraw')).text), 'Withdrawn: it no longer counts.')
  const { rows } = await sql<{ outcome: string }>`
    select outcome from audit_events where operation = 'admin_link_paid_ads' order by at, event_id`.execute(
    world.store.db,
  )
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['created', 'known', 'removed'],
  )
})

test('a run whose records are withdrawn is not said to be under way, before and after it ran', async () => {
  const bring = (archiveId: string) =>
    agent.call('admin_import_paid_ads', {
      platform: 'meta',
      records: [{ archiveId, observedAt: '2026-03-01T08:00:00Z' }],
    })
  const withdraw = (withdrawRunId: string) => agent.call('admin_import_paid_ads', { withdrawRunId })
  const early = await bring('601')
  assert.equal(firstLine(early.text), 'Accepted: the work waits for its turn.')
  assert.equal(
    firstLine((await withdraw(early.reply.runId)).text),
    'Withdrawn: what its records brought does not count.',
  )
  const { reply } = await bring('602')
  const perform = performAdImport(world.store.db, world.collecting.adLibraries)
  await workTask(world.store.db, adImport, perform)({ workId: reply.runId }, new AbortController().signal)
  const done = await withdraw(reply.runId)
  assert.equal(done.reply.status, 'succeeded')
  assert.equal(firstLine(done.text), 'Withdrawn: what its records brought does not count.')
})

test('what is said of accepted work is what its status says', async () => {
  const ask = async (status?: string) => {
    if (status) await sql`update work set status = ${status}, finished_at = now()`.execute(world.store.db)
    return firstLine((await agent.call('discover_emerging_ios_competitors', {})).text)
  }
  assert.equal(await ask(), 'Accepted: the work waits for its turn.')
  await sql`update work set status = 'running', started_at = now()`.execute(world.store.db)
  assert.equal(await ask(), 'Accepted: the work is running.')
  const known = () => agent.call('request_ios_competitor', { app: '901' })
  const { text, reply } = await known()
  assert.equal(firstLine(text), `The work had ended before: ${reply.status}.`)
})

test('what is said of a following page is about that page', async () => {
  await storeListings(world, [{ trackId: 902, trackName: 'Tides Two', observedAt: '2026-03-01T08:00:00Z' }])
  const page = (cursor?: string) => agent.call('search_competitors', { q: 'tides', limit: 1, cursor })
  const first = await page()
  assert.equal(firstLine(first.text), '1 items of 2.')
  const second = await page(first.reply.nextCursor)
  assert.equal(firstLine(second.text), '1 more items of 2.')
  assert.doesNotMatch(second.text, /call again with `cursor`/)
})

test('an app that is not stored is not said to be taken in by nobody: what others asked for is theirs', async () => {
  const { reply } = await agent.call('get_competitor', { storeId: '999' })
  assert.equal(
    reply.detail,
    'No evidence of the app 999 is stored, and this account has no intake of it under way.',
  )
})

test('the contract says what unlink and withdraw do, and that discovery looks apps up in the store', () => {
  const { action } = AdLinkBody.shape
  for (const word of ['`unlink`', '`withdraw`']) assert.ok(action.description?.includes(word), word)
  const { description, reply } = contract.discover_emerging_ios_competitors
  assert.match(description, /looked up in the store/)
  assert.match(reply.shape.takenIn.description ?? '', /looked up in the store/)
  assert.doesNotMatch(IntakeSummary.meta()?.description ?? '', /under way\.$/)
})
