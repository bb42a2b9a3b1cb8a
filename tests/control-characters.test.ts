import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { type CommandCall, operate } from './support/operator.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const controls = ['\u0000', '\u0007', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\ud800']
/** Written in lines by people. */
const lined = new Set(['note'])
const lineBreaks = new Set(['\t', '\n', '\r'])

type Part = 'params' | 'query' | 'body'
const pointers = { params: '/path', query: '/query', body: '/body' }

/** Whether a field takes text, or a list of texts. */
function takesText(field: z.ZodType): 'text' | 'list' | undefined {
  const { type, items } = z.toJSONSchema(field, { io: 'input', reused: 'inline' }) as {
    type?: string
    items?: { type?: string }
  }
  const written = JSON.stringify(z.toJSONSchema(field, { io: 'input', reused: 'inline' }))
  if (type === 'array')
    return items?.type === 'string' || /"items":\{[^}]*string/.test(written) ? 'list' : undefined
  return type === 'string' || /"type":"string"/.test(written) ? 'text' : undefined
}

const textParameters = (Object.entries(contract) as [Tool, Operation][]).flatMap(([tool, operation]) =>
  (['params', 'query', 'body'] as const).flatMap((part: Part) =>
    Object.entries(operation[part]?.shape ?? {}).flatMap(([name, field]) => {
      const takes = takesText(field as z.ZodType)
      // Each of these gets an answer of its own (replies-agree.test.ts).
      return takes && name !== 'records' && !(tool === 'add_aso_keywords' && name === 'terms')
        ? [{ tool, operation, part, name, takes }]
        : []
    }),
  ),
)

test('no text that enters holds control characters, whatever the operation and the parameter', async () => {
  assert.ok(textParameters.length > 100, `${textParameters.length} parameters`)
  for (const { tool, operation, part, name, takes } of textParameters) {
    const { params, query, body } = operation.example
    for (const control of controls) {
      if (part !== 'body' && control === '\ud800') continue
      const text = `a${control}b`
      const given = { ...params, ...query, ...body, [name]: takes === 'list' ? [text] : text }
      const reply = await world.call(tool, given)
      const said = `${tool} ${name} ${JSON.stringify(text)}: ${reply.status}`
      if (lined.has(name) && lineBreaks.has(control)) {
        const named = (reply.body?.errors ?? []).map((error: { pointer: string }) => error.pointer)
        assert.ok(!named.includes(`${pointers[part]}/${name}`), said)
        continue
      }
      assert.equal(reply.status, 400, said)
      const pointer = `${pointers[part]}/${name}${takes === 'list' ? '/0' : ''}`
      assert.ok(
        reply.body.errors.some(
          (error: { pointer: string; message: string }) =>
            error.pointer === pointer && /control characters/.test(error.message),
        ),
        `${said} ${JSON.stringify(reply.body.errors)}`,
      )
    }
  }
})

test('names of keys and accounts, and reasons of the operator, hold none either', async () => {
  for (const control of controls) {
    const text = `a${control}b`
    const scopes = ['context:read']
    const calls: CommandCall[] = [
      { command: 'keys create', options: { name: text, scopes } },
      { command: 'keys create', options: { name: 'fine', account: text, scopes } },
      { command: 'requests dismiss', options: { requestId: 'x', reason: text } },
    ]
    for (const call of calls) {
      const { code, notes } = await operate(world, call)
      assert.equal(code, 1, JSON.stringify(call))
      assert.match(notes, /control characters/)
    }
  }
})
