import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeWordWeights, refreshWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { type MadeListing, storeListings } from '../support/listings.ts'
import { QueryPlans } from '../support/query-plans.ts'
import { openWorld, type World } from '../support/world.ts'

const observedAt = '2026-03-01T06:00:00.000Z'
const app = { trackId: 100, observedAt, artistName: 'Brook Labs', artistId: 9, primaryGenreId: 6007 }

/** Sixty apps of other developers: all say "planner", half say "timer", five "pomodoro", by which they are called. */
const others = Array.from({ length: 60 }, (_, at) => ({
  ...app,
  trackId: 200 + at,
  artistId: 200 + at,
  artistName: `${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${at} Works`,
  trackName: `Thing ${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${at}${at < 5 ? ' Pomodoro' : ''}`,
  description: ['planner', ...(at % 2 === 0 ? ['timer'] : []), ...(at < 5 ? ['pomodoro'] : [])].join(', '),
}))

interface Advice {
  kind: string
  field: string | null
  weight: string
  terms: string[]
  keywordField: { characters: number; bytes: number; beyondBytes: string[] } | null
  text: string
}

async function auditOf(world: World, listing: Partial<MadeListing>, among: readonly MadeListing[] = []) {
  await storeListings(world, [...among, { ...app, trackName: 'Brook', ...listing }])
  await computeWordWeights(world.store.db, new Date())
  const { status, body } = await world.call('get_competitor_aso', {
    platform: 'ios',
    storeId: '100',
    country: listing.country ?? 'us',
  })
  assert.equal(status, 200)
  const { audit } = body
  const advice: Advice[] = audit.advice
  return {
    audit,
    advice,
    of: (kind: string) => advice.filter((one) => one.kind === kind),
    text: (field: string) => audit.texts.find((one: { field: string }) => one.field === field),
  }
}

test('each text is held against its limit, with what nobody can read named as such', async () => {
  await using world = await openWorld()
  const { audit, text } = await auditOf(world, {
    trackName: 'Brook: Focus Timer 🍅',
    subtitle: null,
    description: 'Brook keeps you focused.',
  })
  assert.deepEqual(
    audit.texts.map((one: { field: string; limit: number; searched: boolean }) => [
      one.field,
      one.limit,
      one.searched,
    ]),
    [
      ['name', 30, true],
      ['subtitle', 30, true],
      ['keyword-field', 100, true],
      ['promotional-text', 170, false],
      ['description', 4000, false],
      ['release-notes', 4000, false],
    ],
  )
  assert.equal(text('name').characters.value, 20, 'an emoji is one character')
  assert.equal(text('subtitle').text.state, 'absent', 'its page was read and shows none')
  assert.deepEqual(text('keyword-field').text, { state: 'not-measured', reason: 'hidden-upstream' })
  assert.deepEqual(text('promotional-text').text, { state: 'not-measured', reason: 'not-carried' })
})

test('a term tells the more the fewer stored listings hold it, by the formula of the page', async () => {
  await using world = await openWorld()
  const { text } = await auditOf(
    world,
    { trackName: 'Pomodoro Timer', description: 'A planner. The planner for the day.' },
    others,
  )
  // 61 listings: 100 * ln(62 / (n + 1)) / ln(62), with "pomodoro" in 6, "timer" in 31, "planner" in 61 of them.
  const telling = (field: string) =>
    Object.fromEntries(
      text(field).terms.map((one: { term: string; telling: unknown }) => [one.term, one.telling]),
    )
  const score = (value: number) => ({ state: 'estimated', value, formula: 'telling/1' })
  assert.deepEqual(telling('name'), { pomodoro: score(53), 'pomodoro timer': score(53), timer: score(16) })
  assert.deepEqual(telling('description').planner, score(0))
  assert.equal(text('description').terms.find((one: { term: string }) => one.term === 'planner').count, 2)
  assert.ok(!('the' in telling('description')), 'words without meaning are left out')
})

test('with fewer than fifty stored listings no term has a number', async () => {
  await using world = await openWorld()
  const { text, of } = await auditOf(world, {
    trackName: 'Pomodoro',
    description: 'Focus timer and focus music. Focus timer for you.',
  })
  assert.deepEqual(text('name').terms[0].telling, { state: 'not-measured', reason: 'too-little-evidence' })
  assert.deepEqual(of('untapped-term'), [])
})

test('advice names the words and the fields, weightiest first', async () => {
  await using world = await openWorld()
  const { advice, of } = await auditOf(
    world,
    {
      trackName: 'Brook Focus Timer',
      subtitle: 'The focus app by Brook',
      description: `Pomodoro for deep days. A pomodoro begins now. ${'Planner and music. '.repeat(30)}`,
    },
    others,
  )
  const weights = advice.map(({ weight }) => ['high', 'medium', 'low'].indexOf(weight))
  assert.deepEqual(weights, weights.toSorted(), 'weightiest first')
  const [repeated] = of('repeated-word')
  assert.deepEqual([repeated?.field, repeated?.terms], [null, ['focus', 'brook']])
  assert.match(repeated?.text ?? '', /"focus" and "brook" are in both the name and the subtitle/)
  assert.deepEqual(
    of('wasted-word').map(({ field, terms }) => [field, terms]),
    [['subtitle', ['brook']]],
    'the name may say whose app it is',
  )
  assert.deepEqual(of('untapped-term')[0]?.terms, ['pomodoro'])
  assert.match(of('unused-space')[0]?.text ?? '', /13 of 30 characters of the name are unused/)
  assert.deepEqual(of('missing-text'), [])
})

test('too long a name, a missing subtitle and a category said again are told', async () => {
  await using world = await openWorld()
  const { of } = await auditOf(world, {
    trackName: 'Brook Productivity Timer for Everybody Who Works',
    subtitle: null,
    primaryGenreId: 6007,
    description: 'Short.',
  })
  assert.match(of('over-limit')[0]?.text ?? '', /The name has 48 characters, 18 over Apple's limit of 30/)
  assert.deepEqual(
    of('missing-text').map(({ field, weight }) => [field, weight]),
    [['subtitle', 'high']],
  )
  assert.deepEqual(of('wasted-word'), [], 'people find productivity apps by "productivity"')
  assert.match(of('unused-space')[0]?.text ?? '', /The description has only 6 of 4,000 characters/)
})

test('a weather app is found by "weather", and no name of another company is advised', async () => {
  await using world = await openWorld()
  const strava = others.slice(0, 3).map((other) => ({ ...other, description: `${other.description}, Zyxomat` }))
  const { advice } = await auditOf(
    world,
    {
      trackName: 'The Weather Channel',
      primaryGenreId: 6001,
      description: 'Pomodoro with Zyxomat. A pomodoro that syncs with Zyxomat every day, in the background.',
    },
    [...others.slice(3), ...strava],
  )
  const said = advice.filter(({ terms }) => terms.includes('weather') || terms.includes('zyxomat'))
  assert.deepEqual(said, [])
  assert.ok(advice.every(({ text }) => !/nobody finds/i.test(text)))
  assert.match(
    advice.find(({ field }) => field === 'keyword-field')?.text ?? '',
    /100 bytes of UTF-8 \(confirmed\).+100 characters/,
  )
})

test('terms advised have one or two words, are no names of others and none of their parts, and fit the keyword field', async () => {
  await using world = await openWorld()
  const said = 'deep work, minecraft, zyxomat, xy, products'
  const holding = others.slice(0, 5).map((other) => ({
    ...other,
    trackName: `${other.trackName}, ${said.replace(', products', '')}`,
    description: `${other.description}, ${said}`,
  }))
  const { of } = await auditOf(
    world,
    {
      trackName: 'Brook',
      subtitle: 'Calm hours',
      description:
        'A pomodoro for deep work. Skins for minecraft, syncs with zyxomat, and xy, and products.\nZyxomat® too.\nAgain pomodoro for deep work, minecraft, zyxomat, xy, products.',
    },
    [...others.slice(5), ...holding],
  )
  assert.deepEqual(of('untapped-term')[0]?.terms.toSorted(), ['deep work', 'pomodoro'])
  const long = ['あいうえおかきくけこ', 'カキクケコサシスセソ', 'タチツテトナニヌネノ', 'ハヒフヘホマミムメモ']
  const written = `${long.join('。')}。${long.join('。')}。`
  const japanese = await auditOf(
    world,
    { country: 'jp', trackName: 'ブルック', description: written },
    holding.map((other) => ({
      ...other,
      country: 'jp',
      trackName: `Thing${other.trackId}、${long.join('、')}`,
      description: `${written}${'planner '.repeat(3)}`,
    })),
  )
  const [untapped] = japanese.of('untapped-term')
  assert.deepEqual(untapped?.terms.toSorted(), long.toSorted(), 'all fit 100 characters')
  assert.deepEqual(untapped?.keywordField, {
    characters: 43,
    bytes: 123,
    beyondBytes: untapped?.terms.slice(-1),
  })
  assert.match(untapped?.text ?? '', /43 characters and 123 bytes: .+ fits only if/)
  assert.deepEqual(of('untapped-term')[0]?.keywordField?.beyondBytes, [])
})

test('no term is advised beside one or many of it that the name carries or that is advised', async () => {
  await using world = await openWorld()
  const said = 'pomodoros, habit, habits, streaks'
  const holding = others.slice(0, 5).map((other) => ({
    ...other,
    trackName: `${other.trackName}, ${said}`,
    description: `${other.description}, ${said}`,
  }))
  const { of } = await auditOf(
    world,
    {
      trackName: 'Brook Pomodoro',
      description: `A calm day: ${said}, and again ${said}. Quiet evenings are there for you and for your friends.`,
    },
    [...others.slice(5), ...holding],
  )
  const terms = of('untapped-term')[0]?.terms ?? []
  assert.ok(terms.includes('streaks'), terms.join(', '))
  assert.equal(terms.filter((term) => term.startsWith('habit')).length, 1, terms.join(', '))
  assert.ok(!terms.includes('pomodoros'), 'the name has one')
})

/** What a Norwegian app is advised of which a part is English, among 44 Norwegian listings and 160 English ones. */
async function norwegianAudit(english: string) {
  await using world = await openWorld()
  const prose =
    'Med appen kan du enkelt få oversikt over dine reiser hos oss og de andre, og se mer av det du vil gjøre.'
  const own = `${english}${prose}\nBestill togbilletter når du vil, og få togbilletter på mobilen. Velg mellom flere.\n${prose}`
  const norwegian = others.slice(0, 44).map((other, at) => ({
    ...other,
    country: 'no',
    trackName: at < 5 ? `Reise${at} togbilletter, dine, hos, appen` : `Tjeneste${at}`,
    description: at < 5 ? own.replace('Bestill', 'Kjøp') : prose.replace(' dine', '').replace(' hos oss', ''),
  }))
  const rest = Array.from({ length: 160 }, (_, at) => ({
    ...app,
    country: 'no',
    trackId: 900 + at,
    trackName: `Thing${at}`,
    description: 'A planner and a timer for the day.',
  }))
  const listing = { country: 'no', trackName: 'Skinn', description: own }
  const { audit, of } = await auditOf(world, listing, [...norwegian, ...rest])
  return { language: audit.language, terms: of('untapped-term')[0]?.terms ?? [] }
}

test('a Norwegian app is advised no stop word, though most listings of the store are English', async () => {
  assert.deepEqual(await norwegianAudit(''), { language: 'no', terms: ['togbilletter'] })
})

test('stop words of the storefront count as well, where an English description has parts in its language', async () => {
  const { language, terms } = await norwegianAudit('Tickets for every train, on your phone. '.repeat(20))
  assert.equal(language, 'en')
  assert.deepEqual(terms, ['togbilletter'])
})

test('untapped terms are looked for once, and anew when something is stored that they can rest on', async () => {
  await using world = await openWorld()
  const description = 'Pomodoro for deep days. A pomodoro begins now.'
  const { of } = await auditOf(world, { trackName: 'Brook', description }, others)
  const plans = await QueryPlans.on(world.store, 2_000)
  const asked = async () => {
    let terms: unknown
    const { statements } = await plans.of(async () => {
      const { body } = await world.call('get_competitor_aso', {
        platform: 'ios',
        storeId: '100',
        country: 'us',
      })
      terms = body.audit.advice.find(({ kind }: { kind: string }) => kind === 'untapped-term')?.terms
    })
    return { statements, terms }
  }
  const again = await asked()
  assert.deepEqual([of('untapped-term')[0]?.terms, again.terms], [['pomodoro'], ['pomodoro']])
  await storeListings(world, [
    { ...app, trackName: 'Brook Pomodoro', description, observedAt: '2026-03-02T06:00:00.000Z' },
  ])
  const anew = await asked()
  assert.equal(anew.terms, undefined, 'the name carries it now')
  assert.ok(anew.statements > again.statements + 3, `${again.statements} and ${anew.statements} statements`)
})

test('of the keyword field both limits are told, with who says so: bytes for certain, characters as is reported', async () => {
  await using world = await openWorld()
  const { text, advice } = await auditOf(world, { trackName: 'Brook' })
  assert.deepEqual(
    text('keyword-field').limits.map((one: { most: number; unit: string; standing: string }) => [
      one.most,
      one.unit,
      one.standing,
    ]),
    [
      [100, 'bytes', 'sure'],
      [100, 'characters', 'reported'],
    ],
  )
  assert.ok(
    text('keyword-field').limits.every(({ source }: { source: string }) =>
      source.startsWith('https://developer.apple.com/'),
    ),
  )
  assert.deepEqual(
    text('name').limits.map((one: { unit: string; standing: string }) => [one.unit, one.standing]),
    [['characters', 'sure']],
  )
  assert.ok(advice.every(({ kind, keywordField }) => (keywordField === null) === (kind !== 'untapped-term')))
})

test('of a text that nobody collected only that is said', async () => {
  await using world = await openWorld()
  const { advice } = await auditOf(world, { trackName: 'Brook: Focus Timer and a Planner' })
  const unread = ['subtitle', 'keyword-field', 'promotional-text']
  assert.deepEqual(
    advice
      .filter(({ field }) => unread.includes(field ?? ''))
      .map(({ kind, field, weight }) => [kind, field, weight]),
    [
      ['not-readable', 'subtitle', 'medium'],
      ['not-readable', 'keyword-field', 'low'],
      ['not-readable', 'promotional-text', 'low'],
    ],
  )
})

test('Japanese and Thai names are read in words, and their language is known', async () => {
  await using world = await openWorld()
  const japanese = await auditOf(world, {
    country: 'jp',
    trackName: '写真加工アプリ',
    subtitle: '写真とコラージュ',
    description: '写真を加工するためのアプリです。友だちとチャットもできます。',
  })
  assert.equal(japanese.audit.language, 'ja')
  const terms = japanese.text('name').terms.map((one: { term: string }) => one.term)
  assert.ok(
    ['写真', '加工', '写真加工'].every((term) => terms.includes(term)),
    terms.join(' '),
  )
  assert.deepEqual(japanese.of('repeated-word')[0]?.terms, ['写真'])
  assert.deepEqual(japanese.of('wasted-word'), [], 'a name may say that it is an app')
  const thai = await auditOf(world, { country: 'th', trackName: 'แอปแชทฟรี', description: 'แอปแชทฟรีสำหรับทุกคน' })
  assert.equal(thai.audit.language, 'th')
  assert.ok(thai.text('name').terms.some((one: { term: string }) => one.term === 'แชท'))
})

test('words are weighed anew when a day has passed or the catalogue has grown by a fifth', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const at = (hours: number) => new Date(Date.parse(observedAt) + hours * 3_600_000)
  const telling = async () => {
    const { body } = await world.call('get_competitor_aso', { platform: 'ios', storeId: '200' })
    return body.audit.texts.find((one: { field: string }) => one.field === 'description').terms[0].telling.state
  }
  await storeListings(world, others.slice(0, 40))
  await refreshWordWeights(db, at(0))
  assert.equal(await telling(), 'not-measured')
  await storeListings(world, others)
  await refreshWordWeights(db, at(0.5))
  assert.equal(await telling(), 'not-measured', 'weighed half an hour ago')
  await refreshWordWeights(db, at(2))
  assert.equal(await telling(), 'estimated')
})
