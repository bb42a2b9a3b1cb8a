import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { appsOf, storePage } from './support/result-pages.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

let apps = 3_000
async function freshApp(country = 'us'): Promise<string> {
  const { body } = await world.call('track_aso_app', { app: String(++apps), role: 'own', country })
  return body.appId
}

const add = (appId: string, terms: readonly unknown[]) =>
  world.call('add_aso_keywords', { appId, terms } as never)

/** The form in which one term was taken. */
async function taken(term: string, country?: string): Promise<string> {
  const { body } = await add(await freshApp(country), [term])
  return body.added[0].keyword.term
}

describe('Terms', () => {
  test('of emoji, of nothing and of 300 letters are refused with what to do; the others are taken', async () => {
    const { status, body } = await add(await freshApp(), [
      '🍅🍅',
      '',
      '   ',
      '!?',
      'x'.repeat(300),
      '🚀'.repeat(150) + 'a'.repeat(60),
      'good',
      '🍅 timer',
      '7',
    ])
    assert.equal(status, 200)
    assert.deepEqual(
      body.refused.map(({ reason }: { reason: string }) => reason),
      ['no-letters', 'empty', 'empty', 'no-letters', 'too-long', 'too-long'],
    )
    assert.equal(body.refused.at(4).given, 'x'.repeat(200))
    assert.equal([...body.refused.at(5).given].length, 200)
    for (const { message } of body.refused) assert.match(message, /^[A-Z].*\.$/)
    assert.equal(body.added.length, 3)
    assert.equal(body.keywordCount, 3)
  })

  test('of exactly 200 characters are taken, in letters outside the first plane too', async () => {
    assert.equal([...(await taken('𠮷'.repeat(200)))].length, 200)
  })

  test('of 201 and of 10,000 are refused whole', async () => {
    const appId = await freshApp()
    for (const many of [201, 10_000]) {
      const { status, body } = await add(
        appId,
        Array.from({ length: many }, (_, index) => `term ${index}`),
      )
      assert.deepEqual([status, body.code], [400, 'invalid-request'])
    }
    assert.equal((await world.call('get_aso_workstation', { appId })).body.keywords.length, 0)
  })

  test('that are no texts, or none at all, are refused by name', async () => {
    const appId = await freshApp()
    const wrong = await add(appId, ['fine', 7])
    assert.equal(wrong.body.errors[0].pointer, '/body/terms/1')
    assert.equal((await add(appId, [])).status, 400)
  })

  test('in any script keep their letters', async () => {
    assert.equal(await taken('番茄钟', 'cn'), '番茄钟')
    assert.equal(await taken('ﾎﾟﾓﾄﾞｰﾛ　タイマー', 'jp'), 'ポモドーロ タイマー')
    assert.equal(await taken('뽀모도로 타이머', 'kr'), '뽀모도로 타이머')
    assert.equal(await taken('\u202eمؤقت  التركيز\u202c', 'sa'), 'مؤقت التركيز')
    assert.equal(await taken('טיימר ריכוז', 'il'), 'טיימר ריכוז')
    assert.equal(await taken('می\u200cخواهم', 'ae'), 'می\u200cخواهم')
  })

  test('are written small by the language of the storefront', async () => {
    assert.equal(await taken('ISI KAYBI', 'tr'), 'ısı kaybı')
    assert.equal(await taken('İSTANBUL', 'tr'), 'istanbul')
    assert.equal(await taken('ISI', 'us'), 'isi')
    assert.equal(await taken('STRASSE', 'de'), 'strasse')
  })

  test('whatever they are, each comes out once, and sent again none is new', async () => {
    const appId = await freshApp()
    const term = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.lorem())
    await fc.assert(
      fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 30 }), async (terms) => {
        const { body } = await add(appId, terms)
        const { added, alreadyThere, refused } = body
        assert.equal(added.length + alreadyThere.length + refused.length, terms.length)
        const again = (await add(appId, terms)).body
        assert.deepEqual([again.added, again.keywordCount], [[], body.keywordCount])
        assert.equal(again.refused.length, refused.length)
      }),
      { numRuns: 30 },
    )
  })

  test('in one form meet the pages of another', async () => {
    const appId = await freshApp('tr')
    await storePage(world, {
      term: 'ISI kaybı',
      country: 'tr',
      observedAt: '2026-03-01T12:00:00Z',
      apps: appsOf([1, apps]),
    })
    const { body } = await add(appId, ['ısı KAYBI'])
    assert.deepEqual(body.added[0].keyword.rank, { state: 'measured', value: 2, depth: 2 })
  })
})

describe('An app', () => {
  test('named by words, by nothing or by an id that nothing can have is refused by name', async () => {
    for (const app of [
      'focus timer',
      '',
      '0',
      '9999999999999999999',
      'https://example.com/id1',
      'x'.repeat(501),
    ]) {
      const { status, body } = await world.call('track_aso_app', { app, role: 'own' })
      assert.deepEqual([app, status, body.code], [app, 400, 'invalid-request'])
      assert.equal(body.errors[0].pointer, '/body/app')
    }
    const role = await world.call('track_aso_app', { app: '3999', role: 'enemy' })
    assert.equal(role.body.errors[0].pointer, '/body/role')
  })

  test('in a country without a storefront is refused by name', async () => {
    const kept = await world.call('track_aso_app', { app: '3998', role: 'own', country: 'KP' })
    assert.deepEqual([kept.status, kept.body.errors[0].pointer], [400, '/body/country'])
    assert.match(kept.body.errors[0].message, /App Store/)
    const list = await world.call('list_aso_apps', { country: 'xx' })
    assert.equal(list.body.errors[0].pointer, '/query/country')
  })

  test('by an id that is none is refused, one of nothing is not found', async () => {
    const malformed = await world.call('get_aso_workstation', { appId: '17' })
    assert.equal(malformed.status, 400)
    const unknown = await world.call('add_aso_keywords', {
      appId: '01995a10-3c41-7f02-8a6e-52b7c19d0e31',
      terms: ['a'],
    })
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'tracked-app-not-found'])
  })

  test('has a window between a week and a year', async () => {
    const appId = await freshApp()
    for (const windowDays of [0, 6, 366, 30.5]) {
      const { status, body } = await world.call('get_aso_workstation', { appId, windowDays })
      assert.deepEqual([status, body.errors[0].pointer], [400, '/query/windowDays'])
    }
  })
})
