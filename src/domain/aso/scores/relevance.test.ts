import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { relevanceTo } from './relevance.ts'

const words = fc.array(fc.constantFrom('photo', 'editor', 'chat', '写真', '写真加工', 'und', 'über'), {
  minLength: 1,
  maxLength: 4,
})
const text = words.map((list) => list.join(' '))
const listing = fc.record({
  name: text,
  subtitle: fc.option(text),
  description: fc.option(text, { nil: undefined }),
})

test('relevance lies between 0 and 100, and a term that is the name itself is 100', () => {
  fc.assert(
    fc.property(listing, text, (texts, term) => {
      const score = relevanceTo(texts)(term)
      assert.ok(score >= 0 && score <= 100)
      assert.equal(relevanceTo(texts)(texts.name), 100)
    }),
  )
})

test('a word more at the end of a text never lowers it', () => {
  fc.assert(
    fc.property(listing, text, fc.constantFrom('photo', '写真', 'new'), (texts, term, word) => {
      const before = relevanceTo(texts)(term)
      for (const field of ['name', 'subtitle', 'description'] as const) {
        const more = { ...texts, [field]: `${texts[field] ?? ''} ${word}`.trim() }
        assert.ok(relevanceTo(more)(term) >= before, field)
      }
    }),
  )
})

test('a word in the name says more than one in the subtitle, and that more than one in the description', () => {
  const of = (texts: object) => relevanceTo({ name: 'Foo', ...texts })('chat')
  const rising = [
    of({}),
    of({ description: 'a chat' }),
    of({ description: 'chat and chat' }),
    of({ subtitle: 'chat' }),
    of({ name: 'Foo chat' }),
  ]
  assert.deepEqual(rising, [0, 35, 50, 85, 100])
})

test('a term without letters is about nothing', () => {
  assert.equal(relevanceTo({ name: 'Chat' })('★ 🎉'), 0)
})
