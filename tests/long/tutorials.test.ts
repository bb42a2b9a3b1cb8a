import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performTutorials } from '../../scripts/tutorials/performing.ts'
import { readTutorial } from '../../scripts/tutorials/tutorial.ts'

test('every command of every tutorial prints on the demo what the page shows', {
  timeout: 600_000,
}, async () => {
  for (const [name, page] of await performTutorials())
    assert.equal(await readTutorial(name), page, `docs/tutorials/${name}.md: run npm run tutorials`)
})
