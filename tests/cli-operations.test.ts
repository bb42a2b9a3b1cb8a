import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { createKey } from '../src/domain/accounts/keys.ts'
import { revokeKeys } from '../src/domain/accounts/queries.ts'
import { type PlayedApple, playedSources, startApple } from './support/apple.ts'
import { type CommandOptions, start } from './support/command-line.ts'
import { openFolder } from './support/files.ts'
import { run } from './support/in-process.ts'
import { importPosts, madePost } from './support/posts.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const manyApps = 1_200
const line = (id: number) =>
  JSON.stringify({
    ...{ wrapperType: 'software', kind: 'software', trackId: id, artistName: 'Maker, Inc.' },
    ...{ trackName: id === 1 ? 'Plain \u001b[31mred\u001b[0m \u009b2J app' : `App number ${id}` },
    ...{
      userRatingCount: id,
      averageUserRating: 4.5,
      price: 0,
      currency: 'USD',
      description: 'Plan. '.repeat(80),
    },
  })

let apple: PlayedApple
let world: World
let env: Record<string, string>
before(async () => {
  apple = await startApple()
  world = await openWorld({ works: true, sources: playedSources(apple) })
  const server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  env = { RIVALSCOPE_SERVER: server, RIVALSCOPE_KEY: await world.key(), XDG_CONFIG_HOME: folder.path }
  const apps = folder.write('apps.ndjson', Array.from({ length: manyApps }, (_, at) => line(at + 1)).join('\n'))
  await world.import({ kind: 'catalogue', paths: [apps], observedAt: '2026-03-01' })
  await importPosts(world, [madePost('1'), madePost('2'), madePost('3')])
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await apple[Symbol.asyncDispose]()
})

/** Runs a command against the world. */
const rivalscope = (args: string[], options: CommandOptions & { input?: string } = {}) =>
  run(args, { ...options, env: { ...env, ...options.env } })

/** The answer of a command with `--json`. */
async function json(...args: string[]) {
  const { code, out, err } = await rivalscope([...args, '--json'])
  assert.equal(code, 0, err)
  assert.match(out, /^[^\n]+\n$/, 'one line where nobody looks at a terminal')
  return JSON.parse(out)
}

const adRecord = (id: string) => ({
  ...{ id, page_id: '5001', page_name: 'Tidepool Habits', ad_creative_bodies: ['Small tides, every day.'] },
  ...{ ad_delivery_start_time: '2026-02-20', ad_snapshot_url: 'https://www.facebook.com/ads/library/?id=1' },
})

describe('What a command answers', { concurrency: 3 }, () => {
  test('is for people by itself, JSON with --json, and the same as over HTTP', async () => {
    const shown = await rivalscope(['get-competitor', '7'])
    assert.deepEqual([shown.code, shown.err], [0, ''])
    assert.match(shown.out, /App number 7/)
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '7' })
    assert.deepEqual(await json('get-competitor', '7'), body)
  })

  test('holds only the fields asked for', async () => {
    const record = await json('get-competitor', '7', '--fields', 'name,primaryCategory.state')
    assert.deepEqual(
      Object.keys(record),
      ['name', 'primaryCategory'].filter((name) => name in record),
    )
    const list = await json('search-competitors', '--limit', '2', '--fields', 'storeId,developer')
    assert.deepEqual(Object.keys(list.items[0]), ['storeId', 'developer'])
    assert.ok(list.nextCursor, 'what stands beside the items stays')
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '7' })
    assert.notEqual(body.subtitle.state, 'measured')
    const { subtitle } = await json('get-competitor', '7', '--fields', 'subtitle.value')
    assert.deepEqual(subtitle, body.subtitle, 'what is not measured says so')
  })

  test('cannot steer a terminal', async () => {
    for (const args of [['--json'], []]) {
      const { out } = await rivalscope(['get-competitor', '1', ...args])
      assert.match(out, /Plain/)
      assert.doesNotMatch(out.replaceAll('\n', ''), /\p{Cc}/u)
    }
  })

  test('is one page of a list, and says how to go on; the cursor does', async () => {
    const first = await rivalscope(['search-competitors', '--limit', '3'])
    assert.equal(first.code, 0)
    const [, cursor = ''] =
      /There is more: --all shows everything, --cursor (\S+) the next page/.exec(first.err) ?? []
    const page = await json('search-competitors', '--limit', '3')
    assert.equal(page.nextCursor, cursor)
    const next = await json('search-competitors', '--limit', '3', '--cursor', cursor)
    const ids = [...page.items, ...next.items].map(({ storeId }) => storeId)
    assert.equal(new Set(ids).size, 6)
  })

  test('is every page with --all, as JSON one item a line', async () => {
    const all = await rivalscope(['search-competitors', '--all', '--json', '--fields', 'storeId'])
    assert.deepEqual([all.code, all.err], [0, ''])
    const ids = all.out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text).storeId)
    assert.equal(new Set(ids).size, manyApps)
    const people = await rivalscope(['search-competitors', '--all', '--sort', 'rating-count'])
    assert.equal(people.code, 0, people.err)
    assert.match(people.out, /App number 1200\b[\s\S]*App number 2\b/)
  })

  test('may be read in part only: a closed pipe is no failure', async () => {
    await using command = start(['search-competitors', '--all', '--json'], { env })
    command.child.stdin?.end()
    await command.says(/\n/)
    command.child.stdout?.destroy()
    const { code, err } = await command.ended
    assert.deepEqual([code, err], [0, ''])
  })
})

describe('What is written', () => {
  test('goes through the account of the key, and is undone', async () => {
    const saved = await json('save-organic-content', 'tiktok_1', '--note', "it's, good", '--tags', 'hook,a b')
    assert.deepEqual([saved.note, saved.tags], ["it's, good", ['hook', 'a b']])
    const cleared = await json('save-organic-content', 'tiktok_1', '--no-note', '--no-tags')
    assert.deepEqual([cleared.note, cleared.tags], [null, []])
    assert.equal((await json('list-saved-organic-content')).items.length, 1)
    const removed = await rivalscope(['remove-saved-organic-content', 'tiktok_1'])
    assert.deepEqual([removed.code, removed.out], [0, ''])
    assert.deepEqual((await json('list-saved-organic-content')).items, [])
  })

  test('takes several values with commas, repeated, escaped, or a line each or in a table on standard input', async () => {
    const { appId } = await json('track-aso-app', '--app', '7', '--role', 'own')
    const given = async (args: string[], input = '') => {
      const { code, out, err } = await rivalscope(['add-aso-keywords', appId, ...args, '--json'], { input })
      assert.equal(code, 0, err)
      return JSON.parse(out).added.map(({ keyword }: { keyword: { term: string } }) => keyword.term)
    }
    assert.deepEqual(await given(['--terms', 'sleep,white noise']), ['sleep', 'white noise'])
    assert.deepEqual(await given(['--terms', 'a,b', '--terms', 'c']), ['a,b', 'c'])
    assert.deepEqual(await given(['--terms', 'd\\,e,f']), ['d,e', 'f'])
    assert.deepEqual(await given(['--terms', '-'], 'one two\r\n\n三\n'), ['one two', '三'])
    const tables = [
      'Keyword,Popularity,Difficulty,Position\ntide planner,6,64,52\nquiet alarm,5,17,1000\n',
      'country;search term;volume\r\nus;"harbour; map";6\r\nus;;6\r\n',
      'id\tQuery\n1\tnight light\n',
    ]
    assert.deepEqual(await given(['--terms', '-'], tables[0]), ['tide planner', 'quiet alarm'])
    assert.deepEqual(await given(['--terms', '-'], tables[1]), ['harbour; map'])
    assert.deepEqual(await given(['--terms', '-'], tables[2]), ['night light'])
    assert.deepEqual(await given(['--terms', '-'], 'one, two\n"three\n'), ['one, two', '"three'])
    assert.deepEqual(await given(['--terms', '-'], 'sea state,6,64,52\nswell,5,17,-\n'), ['sea state', 'swell'])
    const shown = await rivalscope(['get-aso-workstation', appId])
    assert.equal(shown.code, 0, shown.err)
    assert.match(shown.out, /white noise/)
    assert.equal((await json('update-aso-app-role', appId, '--role', 'rival')).role, 'rival')
    assert.equal((await rivalscope(['remove-aso-app', appId])).code, 0)
  })

  test('may be a table of keywords with tags and notes, however long, of one storefront', async () => {
    const { appId } = await json('track-aso-app', '--app', '8', '--role', 'own')
    const add = (input: string, ...args: string[]) =>
      rivalscope(['add-aso-keywords', appId, '--terms', '-', '--json', ...args], { input })
    const rows = Array.from(
      { length: 450 },
      (_, index) => `tide ${index},${index % 2 ? '"core, sea"' : ''},us,${index < 3 ? 'first' : ''}`,
    )
    const long = await add(`Keyword,Tags,Country,Note\n${rows.join('\n')}\n`)
    assert.equal(long.code, 0, long.err)
    const { added, keywordCount } = JSON.parse(long.out)
    assert.deepEqual([added.length, keywordCount], [450, 450])
    const { keywords } = await json('get-aso-workstation', appId)
    const of = (term: string) => keywords.find((one: { term: string }) => one.term === term)
    assert.deepEqual([of('tide 1').tags, of('tide 1').note], [['core', 'sea'], 'first'])
    assert.deepEqual([of('tide 4').tags, of('tide 4').note], [[], null])
    await add('tide 1\n', '--tags', 'sea', '--no-note')
    const after = (await json('get-aso-workstation', appId)).keywords.find(
      (one: { term: string }) => one.term === 'tide 1',
    )
    assert.deepEqual([after.tags, after.note], [['sea'], null])
    const several = await add('keyword,country\nport,us\nhafen,de\n')
    assert.equal(several.code, 2)
    assert.match(several.err, /its keywords are of us, de, and a tracked app is of one storefront/)
    assert.equal((await rivalscope(['remove-aso-app', appId])).code, 0)
  })

  test('can be records from a file, standard input or the command line; --wait follows the import to its end', async () => {
    const file = folder.write('ads.ndjson', ['101', '102'].map((id) => JSON.stringify(adRecord(id))).join('\n'))
    const preview = await json('admin-preview-paid-ads', '--platform', 'meta', '--records', `@${file}`)
    assert.deepEqual([preview.examined.new, preview.examined.rejected], [2, 0])
    const looked = await rivalscope(['admin-preview-paid-ads', '--platform', 'meta', '--records', `@${file}`])
    assert.match(
      looked.err,
      /^To import these: rivalscope admin-import-paid-ads --preview-token pv1\.\S+ --wait$/m,
    )
    const imported = await json('admin-import-paid-ads', '--preview-token', preview.previewToken, '--wait')
    assert.deepEqual([imported.status, imported.counts.stored], ['succeeded', 2])
    const piped = await rivalscope(
      ['admin-import-paid-ads', '--platform', 'meta', '--records', '-', '--wait'],
      {
        input: JSON.stringify([adRecord('103')]),
      },
    )
    assert.equal(piped.code, 0, piped.err)
    const one = await json(
      'admin-preview-paid-ads',
      '--platform',
      'meta',
      '--records',
      JSON.stringify(adRecord('101')),
    )
    assert.equal(one.examined.known, 1)
    const shown = await rivalscope(['get-paid-ad', 'META', '101'])
    assert.match(shown.out, /Tidepool Habits/)
    const linked = await json(
      ...['admin-link-paid-ads', '--action', 'link', '--platform', 'meta'],
      ...['--archive-ids', '101,102', '--competitor', '7'],
    )
    assert.deepEqual(linked.archiveIds, ['101', '102'])
    assert.equal((await json('search-paid-ads', '--active', '--competitor', '7')).items.length, 2)
    assert.equal((await json('search-paid-ads', '--active', 'false')).items.length, 0)
    assert.equal((await json('search-paid-ads', '--no-active')).items.length, 0)

    const answers = folder.write('answers.json', JSON.stringify((await json('search-paid-ads')).items))
    const refused = await json('admin-preview-paid-ads', ...['--platform', 'meta', '--records', `@${answers}`])
    assert.match(refused.rejections[0].message, /must be a text/)
  })
})

describe('Work that takes time', () => {
  test('is started, and how to see it is said', async () => {
    const { code, out, err } = await rivalscope(['refresh-competitor-estimates', '8', '--country', 'JP'])
    assert.equal(code, 0, err)
    assert.match(out, /queued|running|succeeded/)
    if (!/succeeded/.test(out))
      assert.match(err, /rivalscope get-competitor-estimate-history 8 --country jp.*--wait waits/s)
  })

  test('is waited for with --wait', async () => {
    const work = await json('refresh-competitor-estimates', '9', '--wait')
    assert.equal(work.status, 'succeeded')
  })

  test('that fails ends with 1 and says why', async () => {
    const { code, out, err } = await rivalscope(['request-ios-competitor', '--app', '999999999', '--wait'])
    assert.equal(code, 1)
    assert.match(out, /failed/)
    assert.match(err, /error: the work failed: \S+/)
  })

  test('goes on when nobody waits any longer', async () => {
    await using idle = await openWorld()
    const server = await idle.server.listen({ host: '127.0.0.1', port: 0 })
    const apps = folder.write('two.ndjson', `${line(1)}\n${line(2)}`)
    await idle.import({ kind: 'catalogue', paths: [apps], observedAt: '2026-03-01' })
    const args = ['refresh-competitor-estimates', '1', '--wait', '--server', server]
    await using command = start(args, { env: { ...env, RIVALSCOPE_KEY: await idle.key() } })
    await once(idle.server.server, 'request')
    command.child.kill('SIGINT')
    const { code, out, err } = await command.ended
    assert.deepEqual([code, out, err], [130, '', 'Not waiting any longer: the work goes on.\n'])
  })
})

describe('A command that is called wrongly', { concurrency: 3 }, () => {
  const cases: [wrong: string, args: string[], said: RegExp][] = [
    [
      'a number that is none',
      ['search-competitors', '--min-rating', 'abc'],
      /--min-rating: must be a number, not "abc"/,
    ],
    ['a number out of range', ['search-competitors', '--limit', '101'], /--limit: must be 1 to 100, not 101/],
    ['a country that is none', ['get-competitor', '7', '--country', 'zz'], /--country: "zz" is not a country/],
    [
      'a word that is none of the choices',
      ['get-paid-ad', 'bing', '1'],
      /<platform>: must be meta, tiktok, snapchat, google or apple, not "bing"/,
    ],
    ['a day that does not exist', ['get-apple-charts', '--date', '2026-02-30'], /--date: /],
    ['an id that is none', ['get-competitor', 'seven'], /<store-id>: must be an App Store id/],
    [
      'a list with one bad value',
      ['search-organic-content', '--network', 'tiktok,orkut'],
      /--network, number 2: must be /,
    ],
    [
      'a flag with a value that is none',
      ['search-paid-ads', '--active=maybe'],
      /--active: must be true or false, not "maybe"/,
    ],
    ['a missing option', ['track-aso-app', '--app', '7'], /'--role <word>' not specified/],
    ['a missing argument', ['get-competitor'], /missing required argument 'store-id'/],
    ['an argument too many', ['get-competitor', '7', '8'], /too many arguments/],
    [
      'a field that is none',
      ['get-competitor', '7', '--fields', 'name,colour'],
      /--fields: there is no "colour"; there are asOf, platform, storeId/,
    ],
    [
      'records that are no JSON',
      ['admin-preview-paid-ads', '--platform', 'meta', '--records', '{'],
      /--records: the value is not valid JSON/,
    ],
    [
      'a file that is missing',
      ['admin-preview-paid-ads', '--platform', 'meta', '--records', '@no.json'],
      /--records: cannot read no\.json: ENOENT/,
    ],
    [
      'a file without an end',
      ['admin-preview-paid-ads', '--platform', 'meta', '--records', '@/dev/zero'],
      /--records: \/dev\/zero is more than a request can hold/,
    ],
    [
      'what only the server can see',
      ['admin-preview-paid-ads', '--platform', 'meta'],
      /--terms: is needed, or --advertiser-ids/,
    ],
    ['a cursor of nobody', ['search-competitors', '--cursor', 'x'], /--cursor: The cursor is damaged/],
    [
      'a range from its end',
      ['search-competitors', '--released-from', '2026-02-01', '--released-to', '2026-01-01'],
      /--released-from: /,
    ],
  ]
  for (const [wrong, args, said] of cases)
    test(`${wrong} is named as it was written`, async () => {
      const { code, out, err } = await rivalscope(args)
      assert.match(err, said)
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, /add --help/)
    })

  test('an app that is not tracked is said to be, with the command that tracks it', async () => {
    const { code, out, err } = await rivalscope(['get-aso-workstation', '1064216828'])
    assert.match(err, /does not track 1064216828[\s\S]*rivalscope track-aso-app --app 1064216828/)
    assert.deepEqual([code, out], [1, ''])
  })

  test('every mistake is named at once', async () => {
    const { code, err } = await rivalscope([
      'search-competitors',
      '--min-rating',
      '6',
      '--sort',
      'best',
      '--country',
      'x',
    ])
    assert.equal(code, 2)
    assert.equal(err.match(/^error: --/gm)?.length, 3, err)
  })

  test('standard input is read once', async () => {
    const args = ['admin-preview-paid-ads', '--platform', 'meta', '--records', '-', '--key', '-']
    const { code, err } = await rivalscope(args, { input: JSON.stringify(adRecord('1')) })
    assert.equal(code, 2)
    assert.match(err, /--key: standard input is read for --records already/)
  })
})

describe('A refusal of the server', () => {
  test('is told with what to do, and the request it was', async () => {
    const { code, out, err } = await rivalscope(['get-competitor', '424242'])
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^error: The app is not in the catalogue \(competitor-not-found\)\n/)
    assert.match(err, /request-ios-competitor asks for it/)
    assert.match(err, /Its intake: none\.\n {2}request [\w-]+\n$/)
  })

  test('names the scope that is missing', async () => {
    const key = await world.key(['context:read'])
    const { code, err } = await rivalscope(['remove-saved-organic-content', 'tiktok_1'], {
      env: { RIVALSCOPE_KEY: key },
    })
    assert.equal(code, 1)
    assert.match(err, /scope-missing[\s\S]*content:write/)
  })

  test('of a revoked key says where keys come from, and not the key', async () => {
    const key = await createKey(world.store.db, { name: 'leaving', scopes: ['context:read'] })
    const reader = { env: { RIVALSCOPE_KEY: key } }
    assert.equal((await rivalscope(['get-competitor', '7'], reader)).code, 0)
    await revokeKeys(world.store.db, 'leaving')
    // A credential that was just seen is believed for a moment.
    const { err } = await until(
      () => rivalscope(['get-competitor', '7'], reader),
      ({ code }) => code === 1,
    )
    assert.match(err, /unauthenticated[\s\S]*RIVALSCOPE_KEY or a profile[\s\S]*rivalscope keys create/)
    assert.ok(!err.includes(key))
  })
})
