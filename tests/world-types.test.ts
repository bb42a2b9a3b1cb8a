import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tool } from '../src/contract/contract.ts'
import type { Answer, World } from './support/world.ts'

/** Calls that are compiled and never made: a name that the contract does not have fails `npm run check`. */
const compiled = (_calls: (world: World) => unknown): void => {}

/** Tools whose answer is `any`, of which every name would compile. */
type Untyped = { [T in Tool]: 0 extends 1 & Answer<T> ? T : never }[Tool]

test('tests of every operation name what the contract has, and nothing else compiles', () => {
  const allTyped: [Untyped] extends [never] ? true : false = true
  assert.ok(allTyped)
  compiled(async (world) => {
    const { body } = await world.call('get_apple_charts', { categoryId: '36', limit: 3 })
    void body.items[0].app.storeId.length
    void body.items.find(({ rank }) => rank === 2).previousRank.value.toFixed()
    void body.errors[0].pointer
    // @ts-expect-error an app of a chart has a storeId
    void body.items[0].app.appStoreId
    // @ts-expect-error a place has a rank
    void body.items.map(({ place }) => place)
    // @ts-expect-error it is no part of the reply, nor of a problem
    void body.weather
    // @ts-expect-error a chart has a category
    await world.call('get_apple_charts', { genreId: '36' })
    // @ts-expect-error it is no operation
    await world.call('get_weather')
  })
})
