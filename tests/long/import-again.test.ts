import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { after, test } from 'node:test'
import type { ImportRequest } from '../../src/imports/import-request.ts'
import { readPiece } from '../../src/imports/read-piece.ts'
import { readingIdentity } from '../../src/suppliers/reading-identity.ts'
import { openFolder } from '../support/files.ts'
import { importInto } from '../support/imports.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

/** How a file is imported: what may decide when it was observed, and how it is read. */
interface Way {
  name: string
  modifiedAt: Date
  order: Partial<ImportRequest>
}

const [then, later] = [new Date('2026-02-10T08:00:00Z'), new Date('2026-02-11T08:00:00Z')]
const ways: Way[] = [
  { name: 'x', modifiedAt: then, order: {} },
  { name: 'x', modifiedAt: later, order: {} },
  { name: 'x-2026-02-01', modifiedAt: then, order: {} },
  { name: 'x', modifiedAt: then, order: { observedAt: '2026-02-01' } },
  { name: 'x-2026-02-01', modifiedAt: then, order: { observedAt: '2026-02-02T10:00:00Z' } },
  { name: 'x-2026-02-01', modifiedAt: then, order: { country: 'de' } },
]

let lastId = 3_000_000
const app = (more: object = {}) => ({
  wrapperType: 'software',
  kind: 'software',
  trackId: ++lastId,
  trackName: `App ${lastId}`,
  releaseDate: '2020-01-01T08:00:00Z',
  ...more,
})
const feed = (...updated: string[]) =>
  JSON.stringify({
    feed: {
      id: 'https://rss.marketingtools.apple.com/api/v2/us/apps/top-free/100/apps.json',
      results: [{ id: String(++lastId), name: `App ${lastId}` }],
      ...(updated.length > 0 ? { updated: updated[0] } : {}),
    },
  })
const place = () => `country,chart,category,rank,app_id,name\nus,top-free,6014,1,${++lastId},App ${lastId}\n`

const files: Record<
  string,
  { kind: 'catalogue' | 'charts'; layout: 'document' | 'lines' | 'csv'; text(): string }
> = {
  'a chart that says when it was made': {
    kind: 'charts',
    layout: 'document',
    text: () => feed('Sun, 1 Feb 2026 12:00:00 +0000'),
  },
  'a chart that does not': { kind: 'charts', layout: 'document', text: feed },
  'a table of places': { kind: 'charts', layout: 'csv', text: place },
  'lines of apps': {
    kind: 'catalogue',
    layout: 'lines',
    text: () => `${JSON.stringify(app())}\n${JSON.stringify(app())}\n`,
  },
  'an answer about apps': {
    kind: 'catalogue',
    layout: 'document',
    text: () => JSON.stringify({ resultCount: 2, results: [app()] }),
  },
  'lines of which one is refused': {
    kind: 'catalogue',
    layout: 'lines',
    text: () => `${JSON.stringify(app())}\n${JSON.stringify(app({ trackName: undefined }))}\n`,
  },
}

for (const [what, { kind, layout, text }] of Object.entries(files))
  test(`${what}: imported again it is known just where it would be read as the same, and says the same of itself`, async () => {
    let count = 0
    for (const first of ways)
      for (const second of ways) {
        const content = text()
        const outcomes = []
        for (const { name, modifiedAt, order } of [first, second]) {
          const path = folder.write(`${++count}/${name}.${layout === 'csv' ? 'csv' : 'json'}`, content)
          utimesSync(path, modifiedAt, modifiedAt)
          const request = { kind, paths: [path], directory: '', rejectedFile: '', ...order }
          const input = {
            name: path,
            bytes: 0,
            isKept: true,
            modifiedAt,
            open: () => Promise.reject(new Error('not read')),
          }
          const parsed = readPiece({ layout, bytes: Buffer.from(content), from: 1, part: 1 }, input, request)
          const isFit = !('reason' in parsed)
          outcomes.push({
            identity: isFit ? readingIdentity(parsed) : undefined,
            records: isFit ? parsed.parsed.records - parsed.parsed.rejected.length : 0,
            rejected: isFit ? parsed.parsed.rejected.length : 1,
            isWeak: isFit && parsed.timeBasis === 'file-modified',
            notes: isFit ? (parsed.parsed.notes?.length ?? 0) : 0,
            imported: await importInto(world, { kind, paths: [path], ...order }),
          })
        }
        const [before, again] = outcomes
        assert.ok(before && again)
        const isKnown = before.identity !== undefined && before.identity === again.identity
        assert.equal(again.imported.unchanged, isKnown ? again.records : 0, JSON.stringify({ first, second }))
        for (const { imported, records, rejected, isWeak, notes } of outcomes) {
          assert.equal(imported.read, records + rejected)
          assert.equal(imported.rejected, rejected)
          assert.equal(imported.weaklyDated, isWeak ? 1 : 0)
          assert.equal(imported.notes.length, notes)
        }
      }
  })
