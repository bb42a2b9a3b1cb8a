import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiffPart, diffWords } from './diff-words.ts'

const marked = (parts: readonly DiffPart[]): string =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`))
    .join('')

/** The texts that a difference was made of. */
const sides = (parts: readonly DiffPart[]) => ({
  from: parts.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text])).join(''),
  to: parts.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text])).join(''),
})

test('words that were put in and taken out stand between those that stayed', () => {
  assert.equal(
    marked(diffWords('Focus timer for students', 'Focus timer and habits for students')),
    'Focus timer {+and habits +}for students',
  )
  assert.equal(
    marked(diffWords('Version 1.2 is here', 'Version 1.3 is here')),
    'Version [-1.2-]{+1.3+} is here',
  )
})

test('neighbouring words that were replaced are one change', () => {
  assert.equal(
    marked(diffWords('the quick brown fox jumps', 'the slow red fox jumps')),
    'the [-quick brown-]{+slow red+} fox jumps',
  )
})

test('equal texts, and a text that appears or goes, need no comparison', () => {
  assert.deepEqual(diffWords('same', 'same'), [{ kind: 'same', text: 'same' }])
  assert.deepEqual(diffWords('', 'new'), [{ kind: 'added', text: 'new' }])
  assert.deepEqual(diffWords('old', ''), [{ kind: 'removed', text: 'old' }])
  assert.deepEqual(diffWords('', ''), [])
})

test('scripts without blanks and from right to left are compared by word', () => {
  assert.equal(marked(diffWords('集中タイマー', '学習タイマー')), '[-集中-]{+学習+}タイマー')
  assert.equal(marked(diffWords('مؤقت الدراسة', 'مؤقت العمل')), 'مؤقت [-الدراسة-]{+العمل+}')
})

test('both texts can be read from the difference again', () => {
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  const pieces = ['a', 'b', 'c', ' ', ' ', '\n', '.', '計', '👩‍👩‍👧']
  for (let round = 0; round < 400; round++) {
    const text = () => Array.from({ length: random(14) }, () => pieces[random(pieces.length)]).join('')
    const [from, to] = [text(), text()]
    assert.deepEqual(sides(diffWords(from, to)), { from, to })
  }
})

test('descriptions of 4,000 characters are compared in well under a second of the processor, and longer texts are not compared at all', () => {
  const text = (step: number) =>
    Array.from({ length: 700 }, (_, index) => `w${(index * step) % 97}`)
      .join(' ')
      .slice(0, 4_000)
  const started = process.cpuUsage()
  const parts = diffWords(`a ${text(3)} z`, `b ${text(5)} y`)
  const { user, system } = process.cpuUsage(started)
  assert.ok(parts.some(({ kind }) => kind === 'same'))
  assert.ok(user + system < 1_000_000, `took ${(user + system) / 1_000} ms of the processor`)
  const longest = (letter: string) => `${letter} x `.repeat(3_000)
  assert.deepEqual(
    diffWords(longest('q'), longest('r')).map(({ kind }) => kind),
    ['removed', 'added'],
  )
})
