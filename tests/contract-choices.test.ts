import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { renderShapes, type Schema } from '../src/http/openapi-shapes.ts'
import { openWorld } from './support/world.ts'

/** What a body must, may and may not hold together is said by its schema: it takes exactly what the service takes. */
const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const shapes = renderShapes()

const parts: [Tool, Record<string, unknown>][] = [
  [
    'admin_preview_paid_ads',
    {
      platform: 'meta',
      terms: ['tides'],
      advertiserIds: ['104829173650281'],
      records: [{ id: '1' }],
      countries: ['de'],
    },
  ],
  [
    'admin_preview_paid_ads',
    {
      platform: 'apple',
      terms: ['tides'],
      apps: ['6449912345'],
      advertiserIds: ['104829173650281'],
      archiveIds: ['450ae6c28afe75f202596fe4d006d985'],
      countries: ['de'],
    },
  ],
  [
    'admin_import_paid_ads',
    {
      previewToken: 'unknown',
      platform: 'tiktok',
      terms: ['tides'],
      advertiserIds: ['104829173650281'],
      records: [{ id: '1' }],
      limit: 5,
    },
  ],
  [
    'admin_link_paid_ads',
    {
      action: 'unlink',
      platform: 'meta',
      advertiserId: '104829173650281',
      archiveIds: ['1127384950617284999'],
      competitor: '6449912345',
    },
  ],
]

for (const [tool, given] of parts)
  test(`the schema of ${tool} takes what the service takes, whatever is given together${given.platform ? ` for ${given.platform}` : ''}`, async () => {
    const schema = shapes.of(tool, 'body')
    assert.ok(schema)
    const names = Object.keys(given)
    for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
      const body = Object.fromEntries(
        names.filter((_, at) => (chosen >> at) & 1).map((name) => [name, given[name]]),
      )
      const { body: reported } = await world.call(tool, body)
      assert.equal(
        reported.code !== 'invalid-request',
        takes(schema, body),
        `${JSON.stringify(body)}: ${reported.detail}`,
      )
    }
  })

interface ApiDocument {
  paths: Record<string, Record<string, { requestBody?: { required?: boolean } }>>
}

test('every body that the service refuses when it is empty is required, and no other', async () => {
  const { body: document } = await world.request<ApiDocument>({ method: 'GET', url: '/openapi.json' })
  for (const [tool, row] of Object.entries(contract) as [Tool, Operation][]) {
    if (!row.body) continue
    const { requestBody } = document.paths[row.path]?.[row.method.toLowerCase()] ?? {}
    const schema = shapes.of(tool, 'body') ?? {}
    assert.equal(requestBody?.required, !takes(schema, {}), tool)
    const refused = await world.call(tool, { ...row.example.params })
    assert.equal(refused.body.code === 'invalid-request', requestBody?.required, tool)
  }
})

/** The words of JSON Schema that say what stands together. */
interface Choices {
  required?: string[]
  anyOf?: Schema[]
  not?: Schema
  if?: Schema
  then?: Schema
  else?: Schema
}

/** Whether properties may stand together. */
function takes(schema: Schema, body: object): boolean {
  const { required = [], anyOf, not, if: when, then, else: otherwise } = schema as Choices
  const holds = (one: Schema) => takes(one, body)
  const fits = Object.entries(schema.properties ?? {}).every(([name, one]: [string, Schema | false]) => {
    if (!(name in body)) return true
    const isNothing = one === false || isDeepStrictEqual((one as Choices).not, {})
    return !isNothing && (one.const === undefined || body[name as keyof typeof body] === one.const)
  })
  return (
    fits &&
    required.every((name) => name in body) &&
    (anyOf?.some(holds) ?? true) &&
    !(not && takes(not, body)) &&
    (!when || takes((takes(when, body) ? then : otherwise) ?? {}, body))
  )
}
