import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { httpRequestOf } from './request.ts'
import { routes } from './routes.ts'

const host = 'http://host.example/behind/'
const sent = (tool: keyof typeof routes, given: Record<string, unknown>) => {
  const { path, body } = httpRequestOf(tool, routes[tool], given)
  return { url: new URL(`${host}${path}`), body }
}
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('..', '%2e%2e', '/', '?', '#', '\\', '\ud800'),
)

test('any text is one part of the path of its operation, or is refused', () => {
  fc.assert(
    fc.property(text, (query) => {
      let url: URL
      try {
        url = sent('explore_aso_keyword', { query }).url
      } catch (error) {
        assert.ok(error instanceof TypeError)
        assert.ok(['', '.', '..'].includes(query) || !query.isWellFormed(), query)
        return
      }
      const [, ...segments] = url.pathname.split('/')
      assert.deepEqual(segments.slice(0, -1), ['behind', 'v1', 'aso', 'keywords'])
      assert.equal(decodeURIComponent(segments.at(-1) ?? ''), query)
      assert.equal(`${url.search}${url.hash}`, '')
    }),
  )
})

test('any text, number and list arrives in the query as it was given', () => {
  const lists = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), lists, fc.integer(), (q, network, minViews) => {
      const { searchParams } = sent('search_organic_content', { q, network, minViews, cursor: undefined }).url
      assert.deepEqual(
        [...searchParams],
        [['q', q], ...network.map((one) => ['network', one]), ['minViews', String(minViews)]],
      )
    }),
  )
})

test('any JSON value arrives in the body as it was given, under any name', () => {
  const names = fc.string().filter((name) => !['platform', 'archiveId'].includes(name))
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), (given) => {
      const { body } = sent('save_paid_ad', { platform: 'meta', archiveId: '1', ...given })
      assert.deepEqual(JSON.parse(body ?? ''), JSON.parse(JSON.stringify(given)))
    }),
  )
})
