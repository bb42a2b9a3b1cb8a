import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { run } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { storeTracked } from './support/tracking.ts'

/** `docs/moving.md`, line by line: what it says comes along does, and what it says stays behind is said by the import, too. */

const page = readFileSync(new URL('../docs/moving.md', import.meta.url), 'utf8')
const ownApp = '6551000099'
const day = '2026-03-01'

/** A made-up value for each column that the page names. */
const values: Readonly<Record<string, string>> = {
  keyword: 'tide planner',
  locale: 'en-US',
  suchbegriff: 'tide planner',
  date: '2026-01-15',
  datum: '2026-01-15',
  country: 'us',
  land: 'us',
  rank: '12',
  position: '12',
  platz: '12',
  '2026-01-15': '12',
  '2026-01-16': '14',
  '2026-02-10': '12',
  '2026-02-11': '14',
  'app id': ownApp,
  app_id: ownApp,
  app: ownApp,
  apfel: ownApp,
  chart: 'top-free',
  category: '6007',
  tags: 'core, sea',
  downloads: '900',
  revenue: '12.5',
  currency: 'USD',
  'ad library id': '1127384950617286',
  id: '1127384950617287',
  ad_archive_id: '1127384950617288',
  start_date: '1767225600',
  ad_delivery_start_time: '2026-01-15',
  ad_creative_bodies: "['made up']",
  'publisher_platform/0': 'FACEBOOK',
  advertiser_id: 'AR16735076323512287233',
  creative_id: 'CR12033629139320700929',
  ad_format_type: 'TEXT',
  region_code: 'DE',
  first_shown: '2026-01-15',
  last_shown: '2026-01-16',
  media: 'https://media.example.com/a.png',
  folder: 'Hooks',
  'date saved': '02.03.2026',
  'product type identifier': '1F',
  units: '10',
  'developer proceeds': '0',
  'begin date': '02/14/2026',
  'end date': '02/14/2026',
  'country code': 'US',
  'apple identifier': ownApp,
  'customer price': '0',
  'customer currency': 'USD',
}

interface Line {
  title: string
  begins: string
  command: string | undefined
  stays: string
  mapping: string | undefined
}

const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

const lines: Line[] = page.split(/^## /m).flatMap((section) => {
  const [mapping] = [...section.matchAll(/```json\n([^`]+)```/g)].map(([, text]) => text)
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:what you have|---)/.test(line))
  return rows.map((row) => {
    const cells = row.slice(2, -2).split(' | ')
    assert.equal(cells.length, 4, row)
    const [title = '', begins = '', comes = '', stays = ''] = cells
    return { title, begins: codeIn(begins)[0] ?? '', command: codeIn(comes)[0], stays, mapping }
  })
})

const folder = openFolder()
let here: Installation
before(async () => {
  here = await openInstallation()
  await using store = await here.open()
  await storeTracked({ store } as Parameters<typeof storeTracked>[0], { storeId: ownApp })
})
after(async () => {
  await here[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** A file that begins as the line says: as it stands, where that is JSON, and else with a row of made-up values. */
function fileOf({ title, begins }: Line, index: number): string {
  const isJson = /^[[{]|^window\./.test(begins)
  const sign = begins.includes('\t') ? '\t' : ','
  const row = begins.split(sign).map((name) => values[name.toLowerCase()] ?? 'made up')
  const quoted = row.map((value) => (sign === ',' && value.includes(',') ? `"${value}"` : value))
  const named = codeIn(title).find((code) => /\.[a-z]+$/.test(code))
  const name = named ?? `file.${isJson ? 'json' : 'csv'}`
  return folder.write(`${index}/${name}`, isJson ? `${begins}\n` : `${begins}\n${quoted.join(sign)}\n`)
}

const words = (command: string, file: string, map: string) =>
  command
    .split(' ')
    .slice(1)
    .map((word) => ({ FILE: file, APP: ownApp, DAY: day, MAP: map })[word] ?? word)

describe('what comes along', () => {
  test('stands in tables of four columns, for each tool', () => {
    assert.ok(lines.length >= 25, `${lines.length} lines`)
  })

  for (const [index, line] of lines.entries()) {
    const { title, command, stays, begins } = line
    test(`${title}, ${command ?? 'nothing'}`, async () => {
      const file = fileOf(line, index)
      const map = folder.write(`${index}-map.json`, line.mapping ?? '{}')
      const dry = await run(['import', '--dry-run', '--json', file], { cwd: folder.path })
      const [shown] = JSON.parse(dry.out).files
      if (!command) {
        assert.match(line.stays, /\w/)
        assert.deepEqual([shown.kind, shown.couldBe], [null, []], shown.of)
        return
      }
      const [, , kind] = command.split(' ')
      const isNamed = /--(?:map|format)/.test(command)
      if (!isNamed) {
        assert.equal(shown.kind, kind, shown.why)
        const columns = begins.split(/[,\t]/)
        const told = codeIn(stays).filter((name) => columns.includes(name))
        if (kind !== 'sales') assert.deepEqual(told, shown.unread)
      }
      const done = await run([...words(command, file, map), '--json', ...here.location], { cwd: folder.path })
      assert.equal(done.code, 0, done.err)
      const { read, stored, unchanged, rejected } = JSON.parse(done.out)
      // Two tools can tell the same keyword or app.
      const isList = kind === 'keywords' || kind === 'competitors'
      assert.deepEqual([rejected, stored], [0, isList ? read - unchanged : read], done.err)
      assert.ok(read > 0, done.err)
    })
  }
})

test('the page is led to from the page about imports', () => {
  assert.match(readFileSync(join(import.meta.dirname, '../docs/imports.md'), 'utf8'), /\]\(moving\.md/)
})
