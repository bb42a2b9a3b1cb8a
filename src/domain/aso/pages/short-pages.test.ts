import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgePages } from './short-pages.ts'

/** Which pages count, of pages with these depths at these hours: `200@0`; `/50` after a depth is what was requested. */
function countingOf(pages: string, known: number | null = null): string {
  const judged = judgePages(
    pages.split(' ').map((page) => {
      const [depths = '', hour] = page.split('@')
      const [depth, requested] = depths.split('/').map(Number)
      return {
        capturedAt: new Date(Number(hour) * 3_600_000),
        depth: depth ?? 0,
        requested: requested ?? null,
      }
    }),
    known,
  )
  return judged.map(({ counts }) => (counts ? 'y' : '-')).join('')
}

test('a page that falls far short of the one before it is in doubt, and what follows a whole one is not', () => {
  assert.equal(countingOf('200@0 3@24 190@48 60@72'), 'y-yy')
  assert.equal(countingOf('3@0'), 'y', 'a first page has nothing to fall short of')
  assert.equal(countingOf('3@0 200@24 3@48'), 'yy-')
  assert.equal(countingOf('200@0 50@24 49@25'), 'yyy', 'a quarter is not far')
  assert.equal(countingOf('200@0 49@24'), 'y-')
  assert.equal(countingOf('9@0 1@24'), 'yy', 'a few apps come and go')
  assert.equal(countingOf('10@0 2@24'), 'y-')
})

test('another one half a day later confirms it, with all of its like between them', () => {
  assert.equal(countingOf('200@0 3@24 3@30 4@36'), 'yyyy')
  assert.equal(countingOf('200@0 3@24 3@35'), 'y--')
  assert.equal(countingOf('200@0 3@24 150@30 3@48'), 'y-y-', 'a whole page between them refutes it')
  assert.equal(countingOf('200@0 1@24 40@48'), 'y--', 'two that differ as much confirm nothing')
  assert.equal(countingOf('200@0 1@24 40@48 40@72'), 'y-yy')
  assert.equal(countingOf('200@0 3@24 3@48 3@49 1@50'), 'yyyyy', 'then it is what is known')
})

test('a page as long as was requested says nothing of how many there are', () => {
  assert.equal(countingOf('200@0 10/10@24'), 'yy')
  assert.equal(countingOf('200@0 10/10@24 3/200@25'), 'yy-', 'nor does it lower what is known')
  assert.equal(countingOf('50/50@0 3/200@1'), 'y-')
})

test('verdicts on the pages after one that was not in doubt need no page before it', () => {
  assert.equal(countingOf('3@24 4@36', 200), 'yy')
  assert.equal(countingOf('3@24 4@30', 200), '--')
})
