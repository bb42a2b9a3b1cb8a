import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { commandsOf, readTutorial, tutorialNames, unprintedQuotes } from '../scripts/tutorials/tutorial.ts'

test('every figure in the text of a tutorial, and everything it quotes, stands in what the commands of that section print', async () => {
  for (const name of tutorialNames) assert.deepEqual(unprintedQuotes(await readTutorial(name)), [], name)
})

test('a figure that nothing prints is found', () => {
  const page =
    '# T\n\n## One\n\n```console\n$ rivalscope x\nrank 3\n```\n\nIt stands at 3, `rank 3`.\n\n## Two\n\nAnd at 4.\n'
  assert.deepEqual(unprintedQuotes(page), ['4'])
  assert.deepEqual(unprintedQuotes(page.replace('`rank 3`', '`place 3` of 12')), ['place 3', '12', '4'])
})

test('every page of docs/tutorials is performed, has commands, and leads to the pages of the workstation', async () => {
  const pages = readdirSync(new URL('../docs/tutorials', import.meta.url)).filter(
    (file) => file !== 'README.md',
  )
  assert.deepEqual(pages.sort(), tutorialNames.map((name) => `${name}.md`).sort())
  for (const name of tutorialNames) {
    const page = await readTutorial(name)
    assert.ok(commandsOf(page).length >= 5, name)
    assert.ok(page.includes('](http://127.0.0.1:8787/'), name)
  }
})
