import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withoutControls } from '../src/cli/present/harmless-text.ts'
import { present, presentPages } from '../src/cli/present/present.ts'
import { displayWidth, truncateToWidth, wrapText } from '../src/cli/present/screen-text.ts'
import { type Style, styleOf } from '../src/cli/present/style.ts'
import { contract } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'

const operations = Object.entries(contract as Record<string, Operation>) as [keyof typeof contract, Operation][]
const screen: Style = { width: 80, colour: false, unicode: true, drawings: true }
const pipe: Style = { width: Number.POSITIVE_INFINITY, colour: false, unicode: true, drawings: false }

/** What a reply must never look like to people. */
function assertReadable(text: string, width: number, about: string): void {
  for (const line of text.split('\n')) {
    assert.ok(
      displayWidth(line) <= width,
      `${about} has a line of ${displayWidth(line)} columns at ${width}: ${line}`,
    )
    assert.equal(line, line.trimEnd(), `${about} has blanks at the end of a line`)
  }
  assert.doesNotMatch(text, /\[object|undefined|NaN|\{"|":|not-measured/, about)
  assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u, `${about} has control characters`)
}

test('every reply can be read at every width, on screens and in pipes', () => {
  for (const [tool, { example }] of operations)
    for (const width of [40, 60, 80, 120, 200, Number.POSITIVE_INFINITY])
      for (const style of [screen, pipe]) {
        const text = present(tool, example.reply, { ...style, width })
        assert.notEqual(text, '', tool)
        assertReadable(text, width, tool)
      }
})

test('every reply can be shown in plain ASCII, but for evidence, which keeps its letters', () => {
  for (const [tool, { example }] of operations) {
    const text = present(tool, onlyAscii(example.reply), { ...screen, unicode: false })
    assert.match(text, /^[\x20-\x7e\n]*$/, tool)
  }
})

function onlyAscii(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? {}).replaceAll(/[^\x20-\x7e]/g, 'x'))
}

test('whatever strangers put into their texts, lines stay as wide as they are and nothing moves the cursor', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '\u001b[2J\u001b]0;owned\u0007name',
      '\u202egnp.exe',
      '日本語アプリ🍅👩‍👩‍👧‍👦🏳️‍🌈',
      'a\nb\tc',
      '\u009b31mred',
      '',
    ),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...operations),
      hostile,
      fc.constantFrom(60, 80, 120),
      (operation, text, width) => {
        const [tool, { example }] = operation
        const shown = present(tool, withTexts(example.reply, text), { ...screen, width })
        for (const line of shown.split('\n')) assert.ok(displayWidth(line) <= width, `${tool}: ${line}`)
        assert.doesNotMatch(shown.replaceAll('\n', ''), /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
      },
    ),
    { numRuns: 400 },
  )
})

/** Replaces names, texts and other words of strangers, and leaves what the contract says in its own words. */
function withTexts(value: unknown, text: string, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withTexts(one, text, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inside]) => [
        key,
        withTexts(inside, text, key === 'value' || key === 'text' ? `${name}.${key}` : key),
      ]),
    )
  const free =
    /(^|\.)(name|term|developer|subtitle|description|title|body|text|note|detail|message|handle|statement|given|seller|typed)(\.|$)/
  return typeof value === 'string' && free.test(name) ? text : value
}

test('colours go around what is shown and change none of it', () => {
  const plain = present('get_aso_workstation', contract.get_aso_workstation.example.reply, screen)
  const coloured = present('get_aso_workstation', contract.get_aso_workstation.example.reply, {
    ...screen,
    colour: true,
  })
  assert.notEqual(coloured, plain)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  assert.equal(coloured.replaceAll(/\u001b\[\d+m/g, ''), plain)
})

test('a value is there, was looked for in vain, or is not measured, and the three never look alike', () => {
  const text = present('get_aso_workstation', contract.get_aso_workstation.example.reply, {
    ...screen,
    width: 120,
  })
  assert.match(text, /^ +6 {2}deep work +.* ▼4 /m)
  assert.match(text, /^>1 {2}deep focus +\?s/m)
  assert.match(text, /^ +– {2}pomodoro タイマー/m)
  assert.match(text, /\?s not measured: not captured then/)
  assert.match(text, /> not among so many places looked at/)
})

test('what nobody has looked at has a mark of its own', () => {
  const { reply } = contract.get_aso_workstation.example
  const rank = { state: 'not-measured', reason: 'never-collected' }
  const keywords = reply.keywords.map((keyword) => ({ ...keyword, rank }))
  assert.match(
    present('get_aso_workstation', { ...reply, keywords }, screen),
    /\? not measured: nobody has looked/,
  )
})

test('a reason that occurs nowhere is not in the legend', () => {
  const text = present('get_apple_charts', contract.get_apple_charts.example.reply, screen)
  assert.doesNotMatch(text, /not measured/)
})

test('ranks are drawn with the first place on top, with gaps where nobody looked and marks where it was absent', () => {
  const text = present('get_apple_chart_history', contract.get_apple_chart_history.example.reply, screen)
  const lines = text.split('\n')
  const row = (part: string) => lines.findIndex((line) => line.includes(part))
  assert.ok(row('#91 │') !== -1 && row('#91 │') < row('#99 │'))
  assert.match(lines[row('#99 │') + 1] ?? '', /^ +▾ +▾ +▾$/)
  assert.match(text, /gap: not measured/)
  assert.match(text, /^ +2026-08-22 +2026-08-25 +2026-08-28$/m)
})

test('where nothing is drawn the ranks stand in a table, a line a day', () => {
  const text = present('get_apple_chart_history', contract.get_apple_chart_history.example.reply, pipe)
  assert.doesNotMatch(text, /[│─╭╮╯╰▁▂▃▄▅▆▇█░]/)
  assert.match(text, /^2026-08-24 +>100$/m)
  assert.match(text, /^2026-08-22 +\?s$/m)
  assert.match(text, /^2026-08-23 +95$/m)
})

test('in a pipe no text is cut', () => {
  const { reply } = contract.search_organic_content.example
  const text = present('search_organic_content', reply, pipe)
  assert.match(
    text,
    /I broke a 40 day streak so you don’t have to\. Tidepool Habits: https:\S+ #habits #morningroutine/,
  )
})

test('an empty list says what its emptiness means', () => {
  const { reply } = contract.get_apple_chart_history.example
  const looked = present(
    'get_apple_chart_history',
    { ...reply, charts: [], coverage: { chartsObserved: 2, chartsWithApp: 0 } },
    screen,
  )
  assert.match(looked, /In none of the 2 charts that were looked at: absent/)
  const unseen = { ...reply, charts: [], coverage: { chartsObserved: 0, chartsWithApp: 0 } }
  assert.match(present('get_apple_chart_history', unseen, screen), /No chart .* was captured/)
  const removed = { ...unseen, coverage: { ...unseen.coverage, keptFrom: '2026-09-01' } }
  assert.match(
    present('get_apple_chart_history', removed, screen),
    /older than 2026-09-01 may have been\sremoved[\s\S]*Captures before 2026-09-01 were removed/,
  )
  for (const [tool, { list, example }] of operations)
    if (list) assertReadable(present(tool, { ...example.reply, [list.at]: [] }, screen), 80, tool)
})

test('trouble of a source is told before the answer that rests on it', () => {
  const { reply } = contract.get_aso_workstation.example
  const trouble = [
    {
      source: 'itunes-search',
      surface: 'iTunes Search API',
      country: 'us',
      kind: 'throttled',
      since: '2026-11-20T19:02:31Z',
      text: 'Apple slows searches down in this storefront.',
    },
  ]
  const text = present('get_aso_workstation', { ...reply, trouble }, screen)
  assert.match(text, /^! Apple slows searches down/)
})

test('fields name the columns of a list and the parts of a record, also those that have no room otherwise', () => {
  const list = present('get_aso_workstation', contract.get_aso_workstation.example.reply, {
    ...screen,
    fields: ['keywordId', 'term', 'relevance'],
  })
  assert.match(list, /^keyword id +keyword +relevance\n[\da-f-]{36} +focus timer +~100\n/)
  const record = present('get_competitor', contract.get_competitor.example.reply, {
    ...screen,
    fields: ['name', 'description', 'chartPositions'],
  })
  assert.match(record, /Vicar Bubble/)
  assert.match(record, /\n +• Colours, shapes and letters\n/)
  assert.match(record, /Chart positions/)
})

test('what lies in an absent fact, in one not measured and in a list can be asked for by path', () => {
  const { reply } = contract.search_competitors.example
  const [app] = reply.items
  const unknown = {
    ...app,
    price: { state: 'absent', evidence: 0 },
    primaryCategory: { state: 'not-measured', reason: 'not-carried' },
  }
  const few = { ...reply, items: [unknown] }
  const asked = { ...screen, fields: ['storeId', 'price.value.amount', 'primaryCategory.value.name'] }
  assert.match(present('search_competitors', few, asked), /^6449912345 +– +\?c$/m)
  assert.match(present('search_competitors', few, screen), /^6449912345 .* \?c +– /m)
  const similar = contract.get_similar_competitors.example.reply
  const why = present('get_similar_competitors', similar, {
    ...screen,
    fields: ['app.storeId', 'reasons.kind'],
  })
  assert.match(why, /^\d+ +similar-text, charting-together/m)
})

test('pages of a list flow as one table: one head, one row of titles, columns under each other', () => {
  const { reply } = contract.search_competitors.example
  const [first, second] = reply.items
  const pages = presentPages('search_competitors', screen)
  const text = [
    pages.next({ ...reply, items: [first] }),
    pages.next({ ...reply, items: [{ ...second, name: 'A name that is much longer than the one before' }] }),
    pages.next({ ...reply, items: [first] }),
  ].join('\n')
  assert.equal(text.match(/store id/g)?.length, 1)
  assert.equal(text.match(/17 apps/g)?.length, 1)
  assert.ok((text.match(/looked for, not there/g)?.length ?? 0) <= 1)
  const rows = text.split('\n').filter((line) => /^\d{10} /.test(line))
  assert.equal(rows.length, 3)
  assert.equal(new Set(rows.map((row) => row.indexOf(' us '))).size, 1)
})

test('letters of East Asia and pictures take two columns, marks upon letters none', () => {
  assert.equal(displayWidth('タイマー'), 8)
  assert.equal(displayWidth('한국어'), 6)
  assert.equal(displayWidth('🍅👩‍👩‍👧‍👦🏳️‍🌈'), 6)
  assert.equal(displayWidth('e\u0301clair'), 6)
  assert.equal(truncateToWidth('タイマー', 5, '…'), 'タイ…')
  assert.deepEqual(wrapText('one two タイマー', 7), ['one two', 'タイマ', 'ー'])
})

test('cutting and wrapping keep to the width, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.integer({ min: 2, max: 40 }),
      (text, width) => {
        const safe = withoutControls(text)
        assert.ok(displayWidth(truncateToWidth(safe, width, '…')) <= width)
        for (const line of wrapText(safe, width)) assert.ok(displayWidth(line) <= width)
      },
    ),
    // One grapheme cluster of three columns: a sign that stands before the letter.
    { examples: [['\u{11d46}\u{20000}', 2]] },
  )
})

test('what a terminal shows follows NO_COLOR, FORCE_COLOR, TERM and the locale', () => {
  const terminal = { isTTY: true, columns: 132 }
  const here = { TERM: 'xterm-256color', LANG: 'en_GB.UTF-8' }
  assert.deepEqual(styleOf(terminal, here), { width: 132, colour: true, unicode: true, drawings: true })
  assert.equal(styleOf(terminal, { ...here, NO_COLOR: '1' }).colour, false)
  assert.equal(styleOf(terminal, { ...here, NO_COLOR: '' }).colour, true)
  assert.equal(styleOf({}, { ...here, FORCE_COLOR: '1' }).colour, true)
  assert.equal(styleOf(terminal, { ...here, FORCE_COLOR: '0' }).colour, false)
  assert.deepEqual(styleOf(terminal, { TERM: 'dumb' }), {
    width: 132,
    colour: false,
    unicode: false,
    drawings: false,
  })
  assert.equal(styleOf(terminal, { ...here, LC_ALL: 'C' }).unicode, false)
  assert.equal(styleOf(terminal, { ...here, LC_CTYPE: 'de_DE.ISO-8859-1' }).unicode, false)
  assert.deepEqual(styleOf({}, here), {
    width: Number.POSITIVE_INFINITY,
    colour: false,
    unicode: true,
    drawings: false,
  })
})

test('what nobody measured is never shown as standing still', () => {
  const [app] = contract.list_aso_apps.example.reply.items
  assert.ok(app)
  const still = { climbed: 0, fallen: 0, unchanged: 0, entered: 0, left: 0, absent: 0, notMeasured: 0 }
  const unseen = { state: 'not-measured', reason: 'never-collected' }
  const lineOf = (over7Days: object, share: object = app.visibility.share) => {
    const item = { ...app, over7Days: { ...still, ...over7Days }, visibility: { ...app.visibility, share } }
    const text = present('list_aso_apps', { ...contract.list_aso_apps.example.reply, items: [item] }, pipe)
    return text.split('\n').find((line) => line.includes(app.appId)) ?? ''
  }
  assert.match(lineOf({ unchanged: 2, notMeasured: 1 }), /=/)
  assert.match(lineOf({ absent: 2 }), /=/)
  assert.doesNotMatch(lineOf({ notMeasured: 3 }, unseen), /=/)
  assert.match(lineOf({ notMeasured: 3 }, unseen), /\?/)
  assert.match(lineOf({ notMeasured: 3 }), /\?s/, 'measured today, and not a week ago')
  assert.doesNotMatch(lineOf({}, unseen), /=/, 'no keywords at all')

  const { reply } = contract.get_apple_charts.example
  const [entry] = reply.items
  const first = {
    ...entry,
    previousRank: { state: 'not-measured', reason: 'no-snapshot' },
    change: null,
    entry: 'unknown',
  }
  const chart = present('get_apple_charts', { ...reply, items: [first] }, pipe)
  assert.match(chart, /\?s/)
})

test('a name that another storefront gives says so on every screen', () => {
  const { reply } = contract.search_competitors.example
  const borrowed = { ...reply, items: [{ ...reply.items[0], country: 'gb', namedIn: 'us' }] }
  for (const width of [60, 80, 160])
    assert.match(present('search_competitors', borrowed, { ...screen, width }), /^6449912345 +Tidepool.* us /m)
  const list = contract.list_aso_apps.example.reply
  const [tracked] = list.items
  assert.ok(tracked)
  const elsewhere = { ...tracked, country: 'gb', app: { ...tracked.app, namedIn: 'us' } }
  assert.match(
    present('list_aso_apps', { ...list, items: [elsewhere] }, { ...screen, width: 60 }),
    /\(in us\) /,
  )
})

test('a list has the columns of its glance, in that order, and what stands around it in sections', () => {
  const { reply } = contract.list_competitor_data_requests.example
  const wide = { ...screen, width: 200 }
  assert.match(
    present('list_competitor_data_requests', reply, wide),
    /^Competitor data requests\nrequest id +kind +country +status +asked +last requested +/,
  )
  const failed = {
    ...contract.request_ios_competitor.example.reply,
    status: 'failed',
    finishedAt: '2026-11-20T20:01:00Z',
    lastError: { at: '2026-11-20T20:01:00Z', code: 'upstream-timeout', message: 'Apple did not answer.' },
  }
  const text = present('list_competitor_data_requests', { ...reply, intakes: [failed] }, wide)
  assert.match(text, /^Intakes {2}1\nstate +failed ended 2026-11-20 20:01 UTC\n +Apple did not answer\. /m)
})

test('a reply without a list is its plain values, how its work stands, and sections of what is nested', () => {
  const text = present('admin_get_paid_ad_import', contract.admin_get_paid_ad_import.example.reply, screen)
  assert.match(text, /^Paid ad import\nstate +succeeded 4 ads, ended 2026-11-20 20:00 UTC\n/)
  assert.match(text, /^counts +read 4, stored 3, /m)
  assert.match(text, /^Query\nlimit +200$/m)
  assert.match(text, /^Outside the EU /m)
})

test('a moment until which something holds is said to the minute', () => {
  const { reply } = contract.admin_preview_paid_ads.example
  assert.match(present('admin_preview_paid_ads', reply, screen), /^expires +2026-11-20 20:15 UTC$/m)
})

test('what was removed is said in the words of the contract', () => {
  assert.match(present('remove_aso_app', undefined, screen), /^Done: stops tracking an app; /)
})

test('where days of an estimate were made by another formula, the drawing marks the step and says from which to which', () => {
  const { reply } = contract.get_competitor_estimate_history.example
  const shown = JSON.parse(JSON.stringify(reply))
  const [point] = shown.points.filter(
    (one: { estimate: { state: string } }) => one.estimate.state === 'estimated',
  )
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']
  const drawn = (versions: readonly (string | null)[]) => {
    const points = days.map((date, index) => {
      const version = versions[index]
      const estimate = version
        ? { ...point.estimate, version }
        : { state: 'not-measured', reason: 'no-snapshot' }
      return { ...point, date, estimate }
    })
    const series = { ...shown, points, from: days[0], to: days.at(-1) }
    return present('get_competitor_estimate_history', series, screen)
  }
  const stepped = drawn(['chart-rank/2', null, 'chart-rank/3', 'chart-rank/3'])
  assert.match(stepped, /^ +▴$/m)
  assert.match(stepped, /▴ another formula: 2026-03-03 chart-rank\/2 to chart-rank\/3/)
  const often = drawn(['chart-rank/2', 'rating-growth/2', 'chart-rank/2', 'rating-growth/2'])
  assert.match(often, /▴ another formula, 3 times: see the days/)
  assert.doesNotMatch(drawn(['chart-rank/3', null, 'chart-rank/3', 'chart-rank/3']), /▴|another formula/)
})

test('an empty list of emerging apps says whether anybody has looked, and what came of it', () => {
  const { lastRun, ...reply } = contract.list_emerging_ios_competitors.example.reply
  const shown = (run: object | null) =>
    present('list_emerging_ios_competitors', { ...reply, items: [], nextCursor: null, lastRun: run }, pipe)
  assert.match(shown(null), /\nNo discovery run was made for this yet, whatever charts are stored: /)
  const ended = { ...lastRun, backtest: null, found: 0 }
  const at = { at: '2026-11-20T06:00:00.000Z' }
  const message = 'No chart of us has a usable snapshot, so there was nothing to look through.'
  for (const [run, said] of [
    [{ ...ended, status: 'succeeded', lastError: null }, /\nThe runs so far found no emerging app that passes/],
    [{ ...ended, status: 'queued', endedAt: null }, /\nThe run has not ended yet/],
    [
      { ...ended, status: 'failed', lastError: { ...at, code: 'x', message: 'Gone.' } },
      /\nThe last run failed/,
    ],
    [
      { ...ended, status: 'partial', lastError: { ...at, code: 'no-charts', message } },
      /\nNo chart of us has a usable snapshot/,
    ],
  ] as const)
    assert.match(shown(run), said)
})
