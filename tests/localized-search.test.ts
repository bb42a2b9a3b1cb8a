import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { computeWordWeights } from '../src/domain/catalogue/word-weights.ts'
import { replay } from '../src/projections/replay.ts'
import { hasOutdatedWords, renewWords } from '../src/projections/word-indexes.ts'
import { rows } from '../src/storage/database.ts'
import type { LocalizationCode } from '../src/vocabulary/storefronts.ts'
import { type Folder, openFolder } from './support/files.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let folder: Folder
before(async () => {
  world = await openWorld()
  folder = openFolder()
  await bring(everyDay(1), 'us', [
    { id: 201, name: 'Lantern', description: english, ratings: 900 },
    { id: 202, name: 'Reader', description: 'Books and stories.', ratings: 80_000 },
    { id: 203, name: 'Farol Club', description: 'A club with a name of its own.', ratings: 10 },
    { id: 204, name: 'Echo', description: 'It says what it is told.', ratings: 10 },
  ])
  await bring(everyDay(2), 'us', [{ id: 201, name: 'Farol nocturno', description: spanish }], 'es-MX')
  await bring(everyDay(2), 'us', [{ id: 201, name: 'Lanterne', description: french }], 'fr-FR')
  await bring(everyDay(2), 'us', [{ id: 204, name: 'Echo', description: 'It says what it is told.' }], 'vi')
  await bring(everyDay(1), 'in', [{ id: 205, name: 'Mihrab', description: 'Prayer times.' }])
  await bring(everyDay(2), 'in', [{ id: 205, name: 'মিহরাব: নামাজের সময়', description: 'কুরআন পড়ুন' }], 'bn-BD')
  await bring(everyDay(2), 'in', [{ id: 205, name: 'ಮಿಹರಾಬ್', description: 'ನಮಾಜ್ ಸಮಯ' }], 'kn-IN')
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const english = 'A lantern for people who read at night, with a timer.'
const spanish =
  'Un farol para leer de noche. El temporizador apaga la linterna. Farol con temporizador para leer.'
const french = 'Une lampe pour lire la nuit, avec un minuteur pour dormir.'
const everyDay = (day: number) => `2026-05-${String(day).padStart(2, '0')}T00:00:00Z`

interface Listed {
  id: number
  name: string
  description: string
  ratings?: number
}

let files = 0
/** Stores what a lookup answers, in the language of the storefront or another one. */
async function bring(
  observedAt: string,
  country: string,
  apps: readonly Listed[],
  language?: LocalizationCode,
  into = world,
): Promise<void> {
  const results = apps.map(({ id, name, description, ratings }) => ({
    ...{ wrapperType: 'software', kind: 'software', trackId: id, trackName: name, description },
    ...{ price: 0, currency: 'USD', artistName: `Maker ${id}` },
    ...(ratings === undefined ? {} : { userRatingCount: ratings, averageUserRating: 4.5 }),
  }))
  const path = folder.write(`${++files}.json`, JSON.stringify({ resultCount: results.length, results }))
  const { rejected } = await into.import({
    kind: 'catalogue',
    paths: [path],
    observedAt,
    country,
    format: 'itunes-lookup',
    ...(language ? { language } : {}),
  })
  assert.equal(rejected, 0)
}

const found = async (q: string, more: Record<string, string> = {}) =>
  (await world.call('search_competitors', { q, ...more })).body.items.map(({ storeId, matchedIn }) => [
    storeId,
    ...(matchedIn ?? []),
  ])

test('an app is found by its words in another language of the storefront, which is named', async () => {
  assert.deepEqual(await found('nocturno'), [['201', 'es-MX']])
  assert.deepEqual(await found('temporizador'), [['201', 'es-MX']], 'by the description')
  assert.deepEqual(await found('minuteur'), [['201', 'fr-FR']])
  assert.deepEqual(await found('farolnocturno'), [['201', 'es-MX']], 'words of a name written together')
  assert.deepEqual(await found('farol'), [['203'], ['201', 'es-MX']], 'a name of the default comes first')
  assert.deepEqual(await found('নামাজের সময়', { country: 'in' }), [['205', 'bn-BD']])
  assert.deepEqual(await found('সময', { country: 'in' }), [['205', 'bn-BD']], 'without the nukta')
  assert.deepEqual(await found('ನಮಾಜ್\u200c', { country: 'in' }), [['205', 'kn-IN']])
})

test('what the default matches is found as before, and an answer that repeats it is no localization', async () => {
  assert.deepEqual(await found('people'), [['201']])
  assert.deepEqual(await found('lantern'), [['201', 'fr-FR']], 'which is how "Lanterne" begins')
  assert.deepEqual(await found('echo'), [['204']])
  assert.deepEqual(await found('books'), [['202']])
  assert.deepEqual(await found('nocturno', { country: 'de' }), [], 'nothing of it is stored for Germany')
  assert.deepEqual(await found('নামাজের'), [], 'the language of another storefront')
})

test('filters count for what is found in another language, too', async () => {
  assert.deepEqual(await found('nocturno', { price: 'paid' }), [])
  assert.deepEqual(await found('nocturno', { price: 'free', minRatingCount: '500' }), [['201', 'es-MX']])
  assert.deepEqual(await found('nocturno', { minRatingCount: '1000' }), [])
})

test('a localization that changes is found by its new words, whatever arrives last', async () => {
  await bring(everyDay(6), 'us', [{ id: 202, name: 'Lector diario', description: 'Cuentos.' }], 'es-MX')
  await bring(everyDay(4), 'us', [{ id: 202, name: 'Lector antiguo', description: 'Cuentos.' }], 'es-MX')
  assert.deepEqual(await found('lector diario'), [['202', 'es-MX']])
  assert.deepEqual(await found('lector antiguo'), [])
})

const stored = () =>
  rows(world.store.db, sql<{ row: string }>`select s::text as row from localized_search s order by 1`)

test('a replay, and a renewal of words, lead to the same words', async () => {
  const before = await stored()
  assert.equal(before.length, 6)
  await replay(world.store.db, () => {}, new AbortController().signal, ['localizations'])
  assert.deepEqual(await stored(), before)
  await renewWords(world.store.db)
  await sql`update localized_search set all_terms = '', name_terms = ''`.execute(world.store.db)
  await sql`update word_indexes set version = 1 where indexed = 'localizations'`.execute(world.store.db)
  assert.ok(await hasOutdatedWords(world.store.db))
  await renewWords(world.store.db)
  assert.deepEqual(await stored(), before)
})

const asoOf = async (storeId: string, language?: string, country = 'us') =>
  (
    await world.call('get_competitor_aso', {
      platform: 'ios',
      storeId,
      country,
      ...(language ? { language } : {}),
    })
  ).body

test('an audit reads the texts of a language with the words of that language', async () => {
  const own = await asoOf('201')
  const es = await asoOf('201', 'es')
  assert.equal(own.localization, undefined)
  assert.deepEqual(own.localizations.known, ['fr-FR', 'es-MX'])
  assert.deepEqual(es.localization, {
    language: 'es-MX',
    name: 'Spanish (Mexico)',
    isDefault: false,
    supported: true,
    state: 'measured',
  })
  const [name, , , , description] = es.audit.texts
  assert.deepEqual(name?.text, { state: 'measured', value: 'Farol nocturno', evidence: 0 })
  assert.equal(es.audit.language, 'es')
  const terms = description?.terms.map(({ term }) => term) ?? []
  assert.ok(terms.includes('temporizador') && !terms.includes('para') && !terms.includes('con'), terms.join())
  assert.ok(es.keywords.items.some(({ term, listedIn }) => term === 'nocturno' && listedIn.includes('name')))
  assert.ok(!own.keywords.items.some(({ term }) => term === 'nocturno'))
  assert.equal(es.evidence[0]?.source, 'itunes-lookup')
  assert.equal(es.evidence[0]?.observedAt, '2026-05-02T00:00:00.000Z')
  const { localizations, ...rest } = await asoOf('201', 'en-US')
  assert.deepEqual(localizations, own.localizations)
  assert.deepEqual([rest.localization?.isDefault, rest.audit], [true, own.audit])
})

test('the ratings and ranks of a storefront are the same in each of its languages', async () => {
  const [own, es] = [await asoOf('201'), await asoOf('201', 'es-MX')]
  assert.equal(own.ratings.ratingCount.state === 'measured' && own.ratings.ratingCount.value, 900)
  assert.equal(es.ratings.ratingCount.state === 'measured' && es.ratings.ratingCount.value, 900)
  const { evidence } = es.ratings.ratingCount as { evidence: number }
  assert.equal(es.evidence[evidence]?.observedAt, '2026-05-01T00:00:00.000Z')
})

test('a language that repeats the default, or was never asked for, has no audit, and says why', async () => {
  const absent = await asoOf('204', 'vi')
  assert.equal(absent.localization?.state, 'absent')
  assert.deepEqual(
    absent.audit.texts.map(({ text }) => text.state),
    ['absent', 'absent', 'not-measured', 'not-measured', 'absent', 'absent'],
  )
  assert.deepEqual([absent.audit.advice, absent.keywords.items], [[], []])
  assert.equal(absent.evidence[0]?.observedAt, '2026-05-02T00:00:00.000Z')
  const never = await asoOf('204', 'ko')
  assert.equal(never.localization?.state, 'not-measured')
  assert.deepEqual(never.audit.texts[0]?.text, { state: 'not-measured', reason: 'never-collected' })
  assert.deepEqual(never.audit.advice, [])
})

test('the timeline of a language has its own changes, with what was read', async () => {
  const { timeline } = await asoOf('202', 'es-MX')
  assert.equal(timeline.length, 1)
  const [change] = timeline
  assert.deepEqual(
    change?.fields.map(({ field, termsAdded, termsRemoved }) => [field, termsAdded, termsRemoved]),
    [['name', ['diario'], ['antiguo']]],
  )
  assert.equal(change?.evidence[0]?.observedAt, '2026-05-06T00:00:00.000Z')
  assert.deepEqual((await asoOf('202')).timeline, [])
})

test('a language that is none is refused by name', async () => {
  const { status, body } = await world.call('get_competitor_aso', {
    platform: 'ios',
    storeId: '201',
    language: 'xx',
  })
  assert.equal(status, 400)
  assert.equal(body.errors?.[0]?.pointer, '/query/language')
})

test('texts are compared in a language where both are known in it, and it is said where they are not', async () => {
  const torch = 'Un farol para leer de noche, con temporizador que apaga la linterna.'
  await bring(everyDay(1), 'us', [
    { id: 206, name: 'Torch', description: 'Completely unlike words stand here.' },
  ])
  await bring(everyDay(2), 'us', [{ id: 206, name: 'Farol de noche', description: torch }], 'es-MX')
  const similar = async (language?: string) =>
    (
      await world.call('get_similar_competitors', {
        platform: 'ios',
        storeId: '201',
        ...(language ? { language } : {}),
      })
    ).body
  const textOf = ({ items }: Awaited<ReturnType<typeof similar>>) =>
    items.flatMap(({ app, reasons }) =>
      app.storeId === '206' ? reasons.map(({ kind, detail }) => `${kind}: ${detail}`) : [],
    )
  const [own, es, vi] = [await similar(), await similar('es-MX'), await similar('vi')]
  assert.deepEqual(textOf(own), [])
  assert.match(textOf(es).join(), /similar-text: shared words: .*temporizador.*, in es-MX/)
  assert.deepEqual(
    [own.localization, es.localization?.state, vi.localization?.state],
    [undefined, 'measured', 'not-measured'],
  )
  const basisOf = ({ basis }: typeof es) => basis.find(({ kind }) => kind === 'similar-text')?.detail ?? ''
  assert.equal(basisOf(own), 'names, subtitles and descriptions')
  assert.match(basisOf(es), /1 compared in es-MX, the others in en-US/)
  assert.match(basisOf(vi), /in en-US: not collected in vi/)
  assert.deepEqual(vi.items, own.items)
})

test('terms that are missing in a language are those by which apps known in it are called', async () => {
  await using others = await openWorld()
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const thing = (at: number) => ({
    id: 300 + at,
    name: `Thing ${letters[at % 26]}${at}`,
    description: 'A planner for every day of the week, with lists and notes.',
  })
  const all = Array.from({ length: 60 }, (_, at) => thing(at))
  const brook = { id: 299, name: 'Brook', description: 'Plans the day and keeps you focused.' }
  await bring(everyDay(1), 'us', [brook, ...all], undefined, others)
  const rivals = all.slice(0, 5).map(({ id }, at) => ({
    id,
    name: `Cosa ${letters[at]}${at} Pomodoro`,
    description: 'Una agenda para tu semana con pomodoro, tareas y notas, para estudiar mejor.',
  }))
  const own =
    'Agenda para tu semana con tareas y notas. El pomodoro te ayuda a estudiar. Un pomodoro al empezar.'
  await bring(everyDay(2), 'us', [{ id: 299, name: 'Arroyo', description: own }, ...rivals], 'es-MX', others)
  await computeWordWeights(others.store.db, new Date())
  const untapped = async (language?: string) => {
    const { body } = await others.call('get_competitor_aso', {
      platform: 'ios',
      storeId: '299',
      ...(language ? { language } : {}),
    })
    return body.audit.advice.flatMap(({ kind, terms }) => (kind === 'untapped-term' ? terms : []))
  }
  assert.ok((await untapped('es-MX')).includes('pomodoro'))
  assert.deepEqual(await untapped(), [])
})
