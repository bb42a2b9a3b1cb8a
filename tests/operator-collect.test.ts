import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type PlayedApple, playedSources, startApple } from './support/apple.ts'
import { start } from './support/command-line.ts'
import { begin, type Going, run, serveHere } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { until } from './support/until.ts'

let installation: Installation
let apple: PlayedApple
let config: string
before(async () => {
  installation = await openInstallation()
  apple = await startApple()
  config = installation.configure({ sources: playedSources(apple, { callsPerMinute: 600, attempts: 1 }) })
})
after(async () => {
  await apple[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

const on = (used = config) => [...installation.location, '--config', used]
const collect = (...args: string[]) => run(['collect', ...args, ...on()])

test('what is wrong with a command or a configuration is named, before anything is opened or asked', async () => {
  const mistakes = {
    sources: { itunes: { callsPerMinute: -1 }, google: {} },
    schedule: { charts: [{ countries: ['us', 'xx'] }], everything: true },
  }
  const wrong = installation.configure(mistakes, 'wrong.json')
  const [country, category, chart, device, id, nothing, misread, missing, broken] = await Promise.all([
    collect('charts', '--country', 'xx'),
    collect('charts', '--category', 'games'),
    collect('charts', '--chart', 'top-new'),
    collect('apps', '1', '--country', 'all'),
    collect('pages', 'lantern'),
    collect('searches'),
    run(['collect', 'charts', ...on(wrong)]),
    run(['sources', ...installation.location, '--config', `${config}.yaml`]),
    run(['collect', 'charts', ...on(`${config}.yaml`)]),
  ])
  assert.match(country.err, /"xx" is not a country with an App Store/)
  assert.match(category.err, /"games" is not an Apple genre id/)
  assert.match(chart.err, /Allowed choices are top-free, top-paid, top-grossing/)
  assert.match(device.err, /"all" is not a country with an App Store/)
  assert.match(id.err, /"lantern" is not an App Store id/)
  assert.match(nothing.err, /missing required argument 'term'/)
  assert.match(misread.err, /^error: .*wrong\.json is not understood:$/m)
  for (const place of [
    'sources.itunes.callsPerMinute',
    'schedule.charts.0.countries.1: "xx"',
    'google',
    'everything',
  ])
    assert.ok(misread.err.includes(place), `${place} in ${misread.err}`)
  assert.match(missing.err, /unknown option '--config'/)
  assert.match(broken.err, /^error: .*rivalscope\.json\.yaml cannot be read: ENOENT/m)
  const codes = [country, category, chart, device, id, nothing, misread, missing, broken].map(
    ({ code }) => code,
  )
  assert.deepEqual(codes, Array(9).fill(2))
  assert.equal(apple.requests.length, 0)
})

describe('Collecting by command', () => {
  test('says what it will take, collects, and says what came of it', async () => {
    const { code, out, err } = await collect(
      'charts',
      '--country',
      'us',
      'jp',
      '--chart',
      'top-free',
      'top-paid',
    )
    assert.equal(code, 0, err)
    assert.match(err, /^4 requests to apple-rss-legacy at 600 a minute: about 1 s\n/)
    assert.match(out, /^asked 4: stored 4, empty 0, suspect 0, failed 0, in \d+(\.\d)? s\n$/)
    assert.equal(apple.requests.length, 4)
  })

  test('takes the charts of the schedule when none is named, and says so when there are none', async () => {
    const from = apple.requests.length
    const none = await collect('charts')
    assert.equal(none.code, 1)
    assert.match(none.err, /^No charts are on the schedule\. Name some: --country us/)
    const scheduled = installation.configure(
      {
        sources: playedSources(apple, { attempts: 1 }),
        schedule: { charts: [{ countries: ['de'], categories: [36, 6014] }] },
      },
      'scheduled.json',
    )
    const all = await run(['collect', 'charts', '--json', ...on(scheduled)])
    assert.doesNotMatch(all.err, /requests to/)
    const { seconds, ...counts } = JSON.parse(all.out)
    assert.deepEqual(counts, { asked: 6, stored: 6, empty: 0, suspect: 0, failed: 0 })
    assert.equal(typeof seconds, 'number')
    assert.equal(apple.requests.length, from + 6)
  })

  test('plans a day of every storefront, and how many addresses that takes, without asking', async () => {
    const from = apple.requests.length
    const usual = installation.configure({}, 'usual.json')
    const plan = ['charts', '--country', 'all', '--category', 'all', '--device', 'iphone', 'ipad', '--plan']
    const { code, out } = await run(['collect', ...plan, ...on(usual)])
    assert.equal(code, 0)
    const [, charts = ''] = /^([\d,]+) charts of 175 storefronts, a day:$/m.exec(out) ?? []
    assert.equal(Number(charts.replaceAll(',', '')) % (175 * 3 * 2), 0)
    assert.ok(out.includes(`  ${charts} requests to apple-rss-legacy at 20 a minute: about `), out)
    assert.match(out, /one address makes 28,800 a day: takes [2-9] addresses/)
    const { upstreams, ...counts } = JSON.parse((await collect(...plan, '--json')).out)
    assert.equal(counts.charts, Number(charts.replaceAll(',', '')))
    assert.deepEqual([upstreams.length, upstreams[0].requests], [1, counts.charts])
    assert.equal(apple.requests.length, from)
  })
})

describe('While the service runs', () => {
  let service: Going | undefined
  before(async () => {
    service = await serveHere(on())
  })
  after(() => service?.[Symbol.asyncDispose]())

  const sources = (...args: string[]) => run(['sources', ...installation.location, ...args])

  test('a storefront that fails does not stop the others; the summary and the sources tell', async () => {
    apple.behave('/jp', { does: 'unavailable' })
    const charts = ['charts', '--country', 'us,jp', '--chart', 'top-grossing']
    const failed = await collect(...charts)
    assert.equal(failed.code, 1)
    const reason = 'apple-rss-legacy (jp): out of order, answers 503'
    assert.ok(failed.err.endsWith(`\njp top-grossing 36 iphone: ${reason}\n`), failed.err)
    assert.match(failed.out, /^asked 2: stored 1, empty 0, suspect 0, failed 1, in /)

    const reported = await sources()
    assert.equal(reported.code, 0)
    const lines = reported.out.split('\n')
    assert.match(lines[0] ?? '', /^FAILING {2}jp {2}.* last answer \S+Z; failing since \S+Z, 1 in a row: /)
    assert.ok(lines[0]?.endsWith(reason))
    assert.match(reported.out, /^well {5}us /m)
    assert.match(reported.out, /^ {2}jp top-grossing 36 iphone +1 in a row, last /m)
    assert.doesNotMatch((await sources('--failing')).out, /well/)
    const json = JSON.parse((await sources('--failing', '--json')).out)
    assert.deepEqual(
      json.sources.map(({ country, failures, failureKind }: Record<string, unknown>) => [
        country,
        failures,
        failureKind,
      ]),
      [['jp', 1, 'unavailable']],
    )
    assert.deepEqual([json.charts.length, json.charts[0].outcome], [1, 'failed'])

    apple.recover()
    assert.equal((await collect(...charts)).code, 0)
    assert.equal((await sources('--failing')).out, 'Every source that was asked is well.\n')
  })

  test('terms nobody can search for are named, and nobody is asked', async () => {
    const before = apple.requests.length
    const [emoji, keycap] = await Promise.all([
      collect('searches', 'lantern', '🍅🍅'),
      collect('hints', '1️⃣', '--country', 'jp'),
    ])
    assert.deepEqual([emoji.code, keycap.code], [1, 1])
    assert.match(emoji.err, /Nobody can search for "🍅🍅": a term has a letter or a digit/)
    assert.match(keycap.err, /Nobody can search for "1️⃣"/)
    assert.equal(apple.requests.length, before)
  })

  test('apps, pages, searches and hints are collected by name, and what the storefront does not have is told', async () => {
    const [first, second, third, fourth, local] = apple.apps.map((app) => app.storeId)
    const [apps, pages, searches, hints, abroad, searchPages] = await Promise.all([
      collect('apps', `${first},${second}`, `${third}`, '99', '--json'),
      collect('pages', `${fourth}`, '99'),
      collect('searches', 'lantern', 'no such thing'),
      collect('hints', 'lan', '--country', 'JP'),
      collect('apps', `${local}`, '--country', 'jp'),
      collect('search-pages', 'lantern'),
    ])
    for (const { code, err } of [apps, pages, searches, hints, abroad, searchPages]) assert.equal(code, 0, err)
    assert.deepEqual([JSON.parse(apps.out).asked, JSON.parse(apps.out).stored], [1, 1])
    assert.match(apps.err, /^4 apps \(us\): not in the storefront: 99$/m)
    assert.match(
      pages.err,
      /^2 requests to app-store-page [\s\S]*^page of 99 \(us\): the storefront has no such page$/m,
    )
    assert.match(pages.out, /^asked 2: stored 1, empty 1,/)
    assert.match(searches.out, /^asked 2: stored 1, empty 1,/)
    assert.match(searchPages.err, /^1 request to app-store-search/m)
    assert.match(searchPages.out, /^asked 1: stored 1, empty 0,/)
    assert.match(hints.out, /^asked 1: stored 1,/)
    assert.match(abroad.out, /^asked 1: stored 0, empty 1,/)
    assert.match((await sources()).out, /^well +jp +.*hints.* last answer/im)
  })

  test('an interrupted command ends with 1; what was stored stays', async () => {
    const from = apple.requests.length
    await using collecting = begin(['collect', 'charts', '--country', 'all', ...on()])
    await until(
      async () => apple.requests.length,
      (count) => count >= from + 2,
    )
    collecting.stop('SIGINT')
    const { code, err } = await collecting.ended
    assert.equal(code, 1)
    assert.match(err, /Interrupted[.;] what was stored stays/i)
    assert.ok(apple.requests.length < from + 100)
  })
})

test('a process that only works says so, takes orders for the store it holds, and stops when told to', async () => {
  await using own = await openInstallation()
  const location = [...own.location, '--config', config]
  await using working = start(['work', ...location])
  await working.says(/^working$/m)
  const [app] = apple.apps
  assert.equal((await run(['collect', 'apps', app?.storeId ?? '', ...location])).code, 0)
  working.child.kill('SIGTERM')
  const { code, out, err } = await working.ended
  assert.deepEqual([code, out, err], [0, 'working\n', ''])
})
