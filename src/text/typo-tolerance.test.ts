import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deletionVariants, editDistance, typosOf, wordHalves } from './typo-tolerance.ts'

const word = fc.stringMatching(/^[a-z]{4,12}$/)
const damage = fc.record({
  kind: fc.constantFrom('drop', 'add', 'change', 'swap'),
  place: fc.nat(),
  letter: fc.stringMatching(/^[a-z]$/),
})

test('a word with one slip shares an entry with the word that was meant', () => {
  fc.assert(
    fc.property(word, damage, (meant, slip) => {
      const typed = damaged(meant, slip)
      assert.ok(editDistance(meant, typed) <= 1)
      const entries = new Set(deletionVariants(meant))
      assert.ok(
        deletionVariants(typed).some((entry) => entries.has(entry)),
        `${typed} for ${meant}`,
      )
    }),
  )
})

test('a word with one slip has the beginning or the end of the word that was meant', () => {
  fc.assert(
    fc.property(word, damage, (meant, slip) => {
      const { start, end } = wordHalves(damaged(meant, slip))
      const backwards = [...meant].reverse().join('')
      assert.ok(meant.startsWith(start) || backwards.startsWith(end), `${start} or ${end} for ${meant}`)
    }),
  )
})

test('a slip of the hand is undone by another one', () => {
  fc.assert(fc.property(word, (meant) => [...typosOf(meant)].every((typed) => typosOf(typed).has(meant))))
  assert.ok(typosOf('suduko').has('sudoku'), 'letters that changed places across another one')
  assert.ok(typosOf('callendar').has('calendar') && typosOf('runing').has('running'))
  assert.ok(!typosOf('tone').has('note'), 'short words have too many')
})

function damaged(
  meant: string,
  { kind, place, letter }: { kind: string; place: number; letter: string },
): string {
  const letters = [...meant]
  const at = place % letters.length
  if (kind === 'drop') return letters.toSpliced(at, 1).join('')
  if (kind === 'add') return letters.toSpliced(at, 0, letter).join('')
  if (kind === 'change') return letters.with(at, letter).join('')
  const next = Math.min(at + 1, letters.length - 1)
  return letters
    .with(at, letters[next] ?? '')
    .with(next, letters[at] ?? '')
    .join('')
}

test('the distance of two words counts typos: letters dropped, added, changed, and neighbours swapped once', () => {
  assert.equal(editDistance('evernote', 'evernote'), 0)
  assert.equal(editDistance('evernote', 'evrnote'), 1)
  assert.equal(editDistance('evernote', 'evernotes'), 1)
  assert.equal(editDistance('evernote', 'evernite'), 1)
  assert.equal(editDistance('evernote', 'evrenote'), 1)
  assert.equal(editDistance('evernote', ''), 8)
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.equal(editDistance(one, other), editDistance(other, one))
      assert.equal(editDistance(one, other) === 0, one === other)
      assert.ok(editDistance(one, other) <= Math.max(one.length, other.length))
    }),
  )
})
