import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textNeighbours } from './text-similarity.ts'

const app = (storeId: string, ...terms: string[]) => ({ storeId, terms })

test('apps that share rare words are neighbours, and the heaviest shared words are named first', () => {
  const own = ['budget', 'envelope', 'money', 'the']
  const found = textNeighbours(own, [
    app('1', 'budget', 'envelope', 'money', 'the'),
    app('2', 'money', 'the', 'weather'),
    app('3', 'guitar', 'tuner', 'the'),
    app('4', 'weather', 'radar', 'the'),
  ])
  assert.deepEqual(
    found.map((neighbour) => neighbour.storeId),
    ['1', '2'],
  )
  assert.deepEqual(found[0]?.shared, ['budget', 'envelope', 'money', 'the'])
  assert.ok((found[0]?.strength ?? 0) > (found[1]?.strength ?? 0))
})

test('words that everybody uses make nobody similar', () => {
  assert.deepEqual(textNeighbours(['app', 'free'], [app('1', 'app', 'free'), app('2', 'app', 'free')]), [])
})

test('an app without words has no neighbours, and no candidates give none', () => {
  assert.deepEqual(textNeighbours([], [app('1', 'notes'), app('2')]), [])
  assert.deepEqual(textNeighbours(['notes'], []), [])
})

const terms = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { maxLength: 8 })
const candidates = fc
  .array(terms, { minLength: 1, maxLength: 12 })
  .map((all) => all.map((held, index) => app(String(index), ...held)))

test('strength lies between 0 and 1, strongest first, and shared words are held by both', () => {
  fc.assert(
    fc.property(terms, candidates, (own, others) => {
      const found = textNeighbours(own, others)
      for (const { storeId, strength, shared } of found) {
        assert.ok(strength > 0.05 && strength <= 1 + 1e-9)
        const held = others.find((other) => other.storeId === storeId)?.terms ?? []
        assert.ok(shared.length > 0 && shared.length <= 5)
        assert.ok(shared.every((term) => own.includes(term) && held.includes(term)))
      }
      const strengths = found.map((neighbour) => neighbour.strength)
      assert.deepEqual(
        strengths,
        strengths.toSorted((one, other) => other - one),
      )
    }),
  )
})

test('the order of the candidates changes nothing', () => {
  fc.assert(
    fc.property(
      terms,
      candidates.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      ),
      (own, [all, mixed]) => assert.deepEqual(textNeighbours(own, mixed), textNeighbours(own, all)),
    ),
  )
})
