import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeDataDirectory } from '../src/storage/testing.ts'
import { openFolder } from './support/files.ts'
import { type Going, run, serveHere } from './support/in-process.ts'

const folder = openFolder()
const store = ['--data-dir', join(folder.path, 'store')]
let service: Going & { address: string }
before(async () => {
  await makeDataDirectory(join(folder.path, 'store'))
  service = await serveHere(store)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function keyOf(account: string): Promise<string> {
  const scopes = ['--scopes', 'context:read,content:write']
  return (
    await run(['keys', 'create', '--name', account, '--account', account, ...scopes, ...store])
  ).out.trim()
}

async function ask(key: string, storeId: string, kinds: string[], note?: string) {
  const reply = await fetch(`${service.address}/v1/competitors/ios/${storeId}/data-requests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kinds, note }),
  })
  return ((await reply.json()) as { items: { requestId: string }[] }).items
}

async function requestsAbout(key: string, storeId: string) {
  const reply = await fetch(`${service.address}/v1/competitors/ios/${storeId}/data-requests`, {
    headers: { authorization: `Bearer ${key}` },
  })
  // biome-ignore lint/suspicious/noExplicitAny: looked at below
  return ((await reply.json()) as any).items
}

test('the operator sees what is wanted most first, by whom, and ends what will not come', async () => {
  const requests = (...args: string[]) => run(['requests', ...args, ...store])
  assert.deepEqual((await requests('list')).out, 'No request is open.\n')
  assert.deepEqual((await requests('list', '--status', 'all')).out, 'Nobody asked for data yet.\n')
  const [studio, agency] = [await keyOf('studio'), await keyOf('agency')]
  const [rare] = await ask(studio, '11', ['media'])
  const [often] = await ask(studio, '22', ['charts'], 'every\nday')
  for (const _ of [1, 2]) await ask(agency, '22', ['charts'])

  const listed = await requests('list')
  assert.equal(listed.code, 0, listed.err)
  const lines = listed.out.trimEnd().split('\n')
  assert.equal(lines.length, 5)
  assert.equal(lines[0], '3  charts of 22 in us')
  assert.match(
    lines[1] ?? '',
    /^ {3}\S{36} {2}open {7}agency {2}asked 2 times, last \d{4}-\d\d-\d\dT\d\d:\d\dZ$/,
  )
  assert.match(
    lines[2] ?? '',
    new RegExp(`^ {3}${often?.requestId} .* studio {2}asked once, .*Z {2}every day$`),
  )
  assert.equal(lines[3], '1  media of 11 in us')
  const [first, second, ...more] = JSON.parse((await requests('list', '--json')).out)
  assert.deepEqual([first.demand, first.kind, second.demand, more.length], [3, 'charts', 1, 0])
  assert.deepEqual(
    first.requests.map((request: { account: string; demand: number }) => [request.account, request.demand]),
    [
      ['agency', 2],
      ['studio', 1],
    ],
  )

  const dismissed = await requests('dismiss', rare?.requestId ?? '', '--reason', 'It has none.')
  assert.deepEqual([dismissed.code, dismissed.out], [0, `dismissed ${rare?.requestId}\n`])
  const [ended] = await requestsAbout(studio, '11')
  assert.deepEqual([ended.status, ended.dismissalReason], ['dismissed', 'It has none.'])
  assert.ok(ended.closedAt)
  const [again] = (await ask(studio, '11', ['media'])) as { status?: string; demand?: number }[]
  assert.deepEqual([again?.status, again?.demand], ['dismissed', 2])
  assert.doesNotMatch((await requests('list')).out, /media/)
  assert.match(
    (await requests('list', '--status', 'dismissed')).out,
    /media of 11 in us\n.*dismissed: It has none\.\n$/,
  )
  assert.match((await requests('list', '--status', 'all')).out, /charts of 22[\s\S]*media of 11/)

  const twice = await requests('dismiss', rare?.requestId ?? '')
  assert.deepEqual([twice.code, twice.out], [1, ''])
  assert.match(twice.err, /is dismissed already/)
  const unknown = await requests('dismiss', 'nothing')
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /No request has the id "nothing"/)

  const list = folder.write(
    'list.json',
    JSON.stringify([
      { id: 22, name: 'Two' },
      { id: 11, name: 'One' },
    ]),
  )
  const chart = ['--country', 'us', '--chart', 'top-free', '--category', '36', '--observed-at', '2026-03-01']
  const imported = await run(['import', 'charts', list, ...chart, ...store])
  assert.equal(imported.code, 0, imported.err)
  assert.match((await requests('dismiss', often?.requestId ?? '')).err, /is fulfilled already/)
  assert.equal((await requestsAbout(agency, '22'))[0].status, 'fulfilled')
})

test('wrong usage ends with 2', async () => {
  for (const args of [['list', '--status', 'closed'], ['dismiss']])
    assert.equal((await run(['requests', ...args, ...store])).code, 2)
})
