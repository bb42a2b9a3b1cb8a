import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { exampleNames, filesNaming, placesToTouch } from '../scripts/places.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const ask = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/new.ts', ...words], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('of every place that names an operation, a field or a network is said what to do there, and every such place is there', () => {
  const found = Object.values(exampleNames).flatMap(filesNaming)
  assert.deepEqual(
    found.filter(({ place }) => place === undefined).map(({ file }) => file),
    [],
    'say in scripts/places.ts what is done there',
  )
  const hit = new Set(found.map(({ place }) => place))
  assert.deepEqual(
    Object.keys(placesToTouch).filter((place) => !hit.has(place)),
    [],
  )
})

test('what a new operation touches is listed with file and line: its row, its handler, its example and what is recorded', () => {
  const { status, stdout } = ask('operation', 'get_competitor_press')
  assert.equal(status, 0)
  const listed = [...stdout.matchAll(/^ {2}(\S+):(\d+) /gm)].map(([, file = '', line]) => ({
    file,
    line: Number(line),
  }))
  for (const wanted of [
    'src/contract/competitor-series.ts',
    'src/api/handlers/competitors.ts',
    'scripts/examples/calls.ts',
    'src/client/routes.json',
    'docs/api/openapi.json',
  ])
    assert.ok(
      listed.some(({ file }) => file === wanted),
      wanted,
    )
  for (const { file, line } of listed)
    assert.match(readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? '', /get.?competitor.?media/i)
})

test('a name that is there already, a kind that is not and a name of another form are refused by name', () => {
  assert.match(ask('network', 'tiktok').stderr, /^tiktok is there already: \S+:\d+\n$/)
  assert.match(
    ask('page', 'news').stderr,
    /^Say what is new and its name: npm run new -- operation\|field\|network NAME/,
  )
  assert.match(ask('network', 'Mastodon!').stderr, /not Mastodon!/)
  assert.match(ask('field', 'sound_name', '--like', 'nothing_like_it').stderr, /^Nothing names nothing_like_it/)
})
