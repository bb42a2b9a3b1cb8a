import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareEditionNames, topicsOfListing } from './listing-topics.ts'
import { pseudoRelevanceOf } from './pseudo-relevance.ts'
import { distinctiveTerms, textNeighbours, wordWeightsOf } from './text-similarity.ts'

const topics = (name: string, description?: string) => topicsOfListing({ name, description }, 'us', 'en')
const app = (storeId: string, name: string, description?: string) => ({
  storeId,
  topics: topics(name, description),
})
const counts = {
  listings: 10_000,
  holding: new Map(
    Object.entries({ budget: 60, money: 300, weather: 200, radar: 80, track: 900, the: 9_000, envelope: 12 }),
  ),
}
const weighed = (own: ReturnType<typeof topics>) => wordWeightsOf(own, counts, counts.listings)

test('apps that share telling words are neighbours, and the heaviest shared words are named first', () => {
  const own = topics('Budget', 'Track money with an envelope budget.')
  const found = textNeighbours(own, weighed(own), [
    app('1', 'Envelopes', 'Budgets and money, tracked by envelope.'),
    app('2', 'Wallet', 'Track money.'),
    app('3', 'Radar', 'The weather of today.'),
  ])
  assert.deepEqual(
    found.map((neighbour) => neighbour.storeId),
    ['1', '2'],
  )
  assert.equal(found[0]?.shared[0], 'budget')
})

test('lines about contracts and payments, lists of languages and words that mean nothing are no topics', () => {
  const { said } = topics(
    'Larkspur',
    [
      'Rain and radar for your week.',
      'Your subscription renews unless cancelled in the settings of your iTunes account.',
      'Follow us: https://twitter.com/larkspur',
      'English, French, German, Italian, Spanish, Dutch, Swedish, Danish',
    ].join('\n'),
  )
  assert.deepEqual([...said.values()].map(({ shown }) => shown).sort(), ['larkspur', 'radar', 'rain', 'week'])
})

test('a word that hardly anybody else holds tells less than one of a theme', () => {
  const own = topics('Envelope Budget')
  const weights = weighed(own)
  assert.ok((weights.get('budget') ?? 0) > (weights.get('envelop') ?? 0) * 0.9)
  assert.ok(distinctiveTerms(own, weights, 5).every((term) => /^'[\p{L}]+'(:\*)?$/u.test(term)))
})

test('what those that resemble an app have in common says what it is for, where its own words do not', () => {
  const own = topics('Dashly')
  const companions = [
    { ...app('1', 'Uber Driver'), score: 0.3 },
    { ...app('2', 'Flex for Drivers'), score: 0.3 },
  ]
  const weights = new Map([['driv', 4]])
  const kept = pseudoRelevanceOf(own, companions, weights, [app('3', 'Lyft Driver'), app('4', 'Fax')])
  assert.deepEqual(
    kept.map(({ storeId, shared }) => [storeId, shared]),
    [['3', ['driver']]],
  )
})

test('editions of an app are told by their names: other devices and prices, not other titles of a series', () => {
  const same = (one: string, other: string) => compareEditionNames(one, other).same
  assert.ok(same('Catan Classic', 'Catan HD'))
  assert.ok(same('Runner PRO – Track runs', 'Runner – Track runs'))
  assert.ok(!same('Grand Races: San Juan', 'Grand Races: Vice Bay'))
  assert.ok(!same('Calculator', 'Weather'))
})

const words = fc
  .array(fc.constantFrom('budget', 'money', 'weather', 'radar', 'track', 'the', '楽天', 'und'), {
    maxLength: 8,
  })
  .map((some) => some.join(' '))
const candidates = fc
  .array(fc.tuple(words, fc.option(words)), { minLength: 1, maxLength: 12 })
  .map((all) => all.map(([name, description], index) => app(String(index), name, description ?? undefined)))

test('strength lies between 0 and 1, strongest first, whatever the order of the candidates', () => {
  const cases = candidates.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  )
  fc.assert(
    fc.property(words, fc.option(words), cases, (name, description, [all, mixed]) => {
      const own = topics(name, description ?? undefined)
      const found = textNeighbours(own, weighed(own), all)
      for (const { strength, shared } of found) {
        assert.ok(strength > 0 && strength <= 1)
        assert.ok(shared.length > 0 && shared.length <= 5 && shared.every((word) => !word.includes('#')))
      }
      const strengths = found.map(({ strength }) => strength)
      assert.deepEqual(
        strengths,
        strengths.toSorted((one, other) => other - one),
      )
      assert.deepEqual(textNeighbours(own, weighed(own), mixed), found)
    }),
  )
})
