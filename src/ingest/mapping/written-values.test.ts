import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writtenValue } from './written-values.ts'

/** As Python prints it. */
function printed(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  return `{${Object.entries(value as object)
    .map(([name, part]) => `${printed(name)}: ${printed(part)}`)
    .join(', ')}}`
}

const text = fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', ',', ']', '}', ':', 'é', '潮') })
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
}))
// What begins with a number or a name may be a text in brackets.
const whole = fc.array(
  value.filter((one) => typeof one === 'string' || (typeof one === 'object' && one !== null)),
  { maxLength: 4 },
)

test('what Python or JSON wrote is read as it was, and what is cut off is told', () => {
  fc.assert(
    fc.property(whole, (list) => {
      assert.deepEqual(writtenValue(printed(list)), list)
      assert.deepEqual(writtenValue(JSON.stringify(list)), list)
      if (list.length > 0) assert.equal(writtenValue(printed(list).slice(0, -1)), undefined)
    }),
  )
})

test('a text in brackets, and one to fill in, is none', () => {
  for (const text of ['[2024] Great tides', '(Sponsored) tides', '{{product.name}}', '[Ad] tides', 'tides', ''])
    assert.equal(writtenValue(text), null, text)
})

test('whatever a cell holds, reading it ends', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('[', ']', '{', '}', "'", '"', ',', ':', '\\', 'u', '1', ' ') }),
      (cell) => {
        const read = writtenValue(cell)
        assert.ok(read === null || read === undefined || typeof read === 'object')
      },
    ),
  )
  assert.equal(writtenValue(`${'['.repeat(100_000)}'a'`), undefined)
})
