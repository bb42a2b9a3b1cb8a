import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFolder, rejectedLines } from './support/files.ts'
import { type CommandCall, operate } from './support/operator.ts'
import { track } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

let files = 0

/** Imports a list and answers its summary, with the reasons of what was refused. */
async function bring(
  command: 'import keywords' | 'import competitors',
  content: string,
  options: Record<string, string> = {},
) {
  const rejected = join(folder.path, `rejected-${++files}.ndjson`)
  const path = folder.write(`list-${files}.csv`, content)
  const call = { command, options: { files: [path], rejected, json: true, ...options } } as CommandCall
  const { code, out, notes } = await operate(world, call)
  const summary = out === '' ? undefined : JSON.parse(out)
  const reasons = rejectedLines(summary?.rejectedFile ?? null).map(
    ({ position, reason }) => `${position}: ${reason}`,
  )
  if (summary) assert.equal(summary.read, summary.stored + summary.unchanged + summary.rejected)
  return {
    code,
    notes,
    reasons,
    counts: summary && [summary.read, summary.stored, summary.unchanged, summary.rejected],
  }
}

const keywordsOf = async (appId: string) => {
  const { keywords } = (await world.call('get_aso_workstation', { appId })).body
  return Object.fromEntries(keywords.map(({ term, tags, note }) => [term, [tags.join('+'), note]]))
}

const apps = async () =>
  (await world.call('list_aso_apps', { limit: 100 })).body.items
    .map(({ app, country, role }) => `${app.storeId} ${country} ${role}`)
    .sort()

describe('keywords from a list', () => {
  test('come with their tags, notes and storefronts, as keyword tools export them', async () => {
    const { appId } = await track(world, 701)
    const table = [
      'Keyword,Tags,Storefront,Notes,Popularity',
      'tide planner,"core, tides",US,"from Ada, the first",6',
      'Quiet  Alarm,,us,,5',
      'gezeiten,core,Germany,,7',
    ]
    const first = await bring('import keywords', table.join('\n'))
    assert.deepEqual([first.code, first.counts, first.reasons], [0, [3, 3, 0, 0], []])
    assert.match(first.notes, /701 is tracked in de now/)
    assert.deepEqual(await keywordsOf(appId), {
      'tide planner': ['core+tides', 'from Ada, the first'],
      'quiet alarm': ['', null],
    })
    const german = (await world.call('list_aso_apps', { country: 'de' })).body.items[0]
    assert.deepEqual(
      [german?.role, await keywordsOf(german?.appId ?? '')],
      ['own', { gezeiten: ['core', null] }],
    )
    assert.deepEqual((await bring('import keywords', table.join('\n'))).counts, [3, 0, 3, 0])
    const changed = await bring('import keywords', 'Keyword;Label\ntide planner;sea\n', {
      app: '701',
      country: 'us',
    })
    assert.deepEqual(changed.counts, [1, 1, 0, 0])
    assert.deepEqual((await keywordsOf(appId))['tide planner'], ['sea', 'from Ada, the first'])
  })

  test('are one a line in a plain text, and of one app where its row or the command names it', async () => {
    const { appId } = await track(world, 702, [], { country: 'fr' })
    const plain = await bring('import keywords', 'marée\n\nhoraire des marées\n', { app: '702' })
    assert.deepEqual(plain.counts, [2, 2, 0, 0])
    assert.deepEqual(Object.keys(await keywordsOf(appId)).sort(), ['horaire des marées', 'marée'])
    const unnamed = await bring('import keywords', 'keyword\nmarée\n')
    assert.deepEqual([unnamed.code, unnamed.counts], [1, [1, 0, 0, 1]])
    assert.match(unnamed.reasons[0] ?? '', /nothing says which app .* --app, such as 70\d/)
    const named = await bring(
      'import keywords',
      'App ID,keyword\nhttps://apps.apple.com/fr/app/x/id702,port\n999,port\ncom.example.none,port\nnope,port\n',
    )
    assert.deepEqual(named.counts, [4, 1, 0, 3])
    assert.match(named.reasons.join('\n'), /line 3: the account tracks no app 999: track it first/)
    assert.match(named.reasons.join('\n'), /line 4: no stored app has the bundle id com\.example\.none/)
    assert.match(named.reasons.join('\n'), /line 5: "nope" is neither an App Store id/)
    const several = await bring('import keywords', 'keyword\nport\n', { app: '701' })
    assert.match(several.reasons[0] ?? '', /701 is tracked in .*: name the storefront with --country/)
  })

  test('of 5,000 the app takes what it has room for, and each other one is named', async () => {
    const { appId } = await track(world, 703)
    const lines = Array.from(
      { length: 5_000 },
      (_, index) => `<b>tide ${index}</b>,"${index % 2 ? 'odd' : 'even'}"`,
    )
    const { counts, reasons } = await bring('import keywords', `keyword,tag\n${lines.join('\n')}\n`, {
      app: '703',
    })
    assert.deepEqual(counts, [5_000, 2_000, 0, 3_000])
    assert.match(reasons[0] ?? '', /^line 2002: keywords-full: The app has reached the limit of 2,000 keywords/)
    assert.deepEqual((await keywordsOf(appId))['<b>tide 1</b>'], ['odd', null])
  })

  test('that are none are refused by name, and leave nothing', async () => {
    const before = await apps()
    const cases: [content: string, reason: RegExp][] = [
      ['', /the file is empty/],
      ['Begriff,Rang\ntide,5\n', /no column for the keyword; it has Begriff, Rang/],
      ['keyword,country\ntide,Atlantis\n', /"Atlantis" is not an App Store country/],
      ['keyword,country\n,us\n', /no keyword/],
      ['keyword\n"tide\n', /the table has no rows/],
      [`keyword,tags\ntide,${'x'.repeat(51)}\n`, /at most 20 tags of 50 characters/],
      [`keyword,note\ntide,${'x'.repeat(2_001)}\n`, /a note is a text of at most 2,000 characters/],
      ['keyword\n!!!\n', /no-letters/],
      ['Keyword,Tags\ntide,sea\nKeyword,Country,Rank\ntide,us,4\n', /another table begins at line 3/],
      ['Keyword,Tags\ntide,sea\nTerm,Notes\ntide,x\n', /another table begins at line 3/],
    ]
    for (const [content, reason] of cases) {
      const { counts, reasons, code } = await bring('import keywords', content, { app: '701', country: 'us' })
      assert.deepEqual([code, counts], [1, [1, 0, 0, 1]], content)
      assert.match(reasons[0] ?? '', reason)
    }
    assert.deepEqual(await apps(), before)
  })
})

describe('competitors from a list', () => {
  test('are tracked as rivals in the storefront of the own apps, by address, id or bundle id', async () => {
    const other = await openWorld()
    try {
      await other.call('track_aso_app', { app: '801', country: 'gb', role: 'own' })
      const path = folder.write(
        'rivals.txt',
        'https://apps.apple.com/us/app/x/id802\n803\nid804\ncom.example.none\n',
      )
      const rejected = join(folder.path, 'rivals-rejected.ndjson')
      const { out, notes } = await operate(other, {
        command: 'import competitors',
        options: { files: [path], rejected },
      })
      assert.equal(out, 'competitors: read 4, stored 3, unchanged 0, rejected 1 apps for default from 1 file\n')
      assert.match(
        notes,
        /no stored app has the bundle id com\.example\.none: name it by its App Store id or address/,
      )
      const { items } = (await other.call('list_aso_apps', { role: 'rival' })).body
      assert.deepEqual(items.map(({ app, country }) => `${app.storeId} ${country}`).sort(), [
        '802 us',
        '803 gb',
        '804 gb',
      ])
    } finally {
      await other[Symbol.asyncDispose]()
    }
  })

  test('may be a table with storefronts and roles, and are tracked once', async () => {
    const table =
      'App Name,App Store ID,Country,Role\n<b>Alder</b>,901,us,rival\nBirch,902,Japan,watched\nCedar,903,us,boss\n,,us,\n'
    const { counts, reasons } = await bring('import competitors', table)
    assert.deepEqual(counts, [4, 2, 0, 2])
    assert.match(reasons.join('\n'), /line 4: role: "boss" is none of own, rival, watched\nline 5: no app/)
    assert.ok((await apps()).includes('902 jp watched'))
    assert.deepEqual((await bring('import competitors', table)).counts, [4, 0, 2, 2])
    const role = await bring('import competitors', 'id,country,role\n902,jp,rival\n')
    assert.deepEqual([role.counts, (await apps()).includes('902 jp rival')], [[1, 1, 0, 0], true])
  })

  test('of nobody are refused', async () => {
    const { code, notes } = await bring('import competitors', '901\n', { account: 'nobody' })
    assert.deepEqual([code, notes], [1, 'There is no account "nobody".\n'])
  })
})
