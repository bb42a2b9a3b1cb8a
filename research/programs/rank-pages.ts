import { styleText } from 'node:util'
import { difficultyOf } from '../../src/domain/aso/scores/difficulty.ts'
import { changedPlacesBetween, volatilityOf } from '../../src/domain/aso/scores/volatility.ts'
import { CapturesTables } from '../../src/imports/captures-table.ts'
import { inputsOf, utf8BytesOf } from '../../src/imports/input-file.ts'
import { readPage } from '../../src/imports/read-page.ts'
import type { ParsedInput } from '../../src/suppliers/parsed-input.ts'

/**
 * Shows how the scores of docs/scores.md rank saved result pages: `node research/programs/rank-pages.ts [directory]`, by default the
 * real pages beside the project. Nothing is stored. Term and time of each page are given as for `import search-results`.
 */
const directory = process.argv[2] ?? new URL('../../../shared/data/apple/search', import.meta.url).pathname

const print = (line: string) => process.stdout.write(`${line}\n`)

const pages = await pagesIn(directory)
for (const [term, shown] of Map.groupBy(pages, ({ title }) => title)) {
  shown.sort((one, other) => one.capturedAt.localeCompare(other.capturedAt))
  print(`\n${styleText('bold', term)}`)
  print('captured     depth  difficulty  ratings  titles  entry  changed  first apps')
  for (const [index, page] of shown.entries()) print(lineOf(page, shown[index - 1]))
  const volatility = volatilityOf(shown.map(timed))
  print(`volatility ${volatility ?? 'not measured'} a week over ${shown.length} pages`)
}

interface Page {
  title: string
  capturedAt: string
  storeIds: (string | null)[]
  difficulty: ReturnType<typeof difficultyOf>
  first: string[]
}

function timed({ capturedAt, storeIds }: Page) {
  return { capturedAt: new Date(capturedAt), storeIds }
}

async function pagesIn(path: string): Promise<Page[]> {
  const order = { kind: 'search-results', paths: [path], directory: process.cwd(), rejectedFile: '' } as const
  const tell = (file: string, reason: string): void => {
    process.stderr.write(`${file}: ${reason}\n`)
  }
  const captures = new CapturesTables(
    async ({ name }, { reason }) => tell(name, reason),
    (note) => tell(path, note),
  )
  const pages: Page[] = []
  for (const input of await captures.takeFrom(await inputsOf(order.paths, order.directory, undefined), order)) {
    const bytes = Buffer.concat(await Array.fromAsync(utf8BytesOf(input, () => {})))
    const piece = { layout: 'document', bytes, from: 1, part: 1 } as const
    const payload = readPage(piece, input, order, await captures.rowOf(input))
    if ('reason' in payload) tell(input.name, payload.reason)
    else pages.push(pageOf(payload))
  }
  return pages
}

function pageOf({ context, parsed, observedAt }: ParsedInput): Page {
  const { term = '', storeIds = [] } = parsed.resultPage ?? {}
  const listings = new Map(parsed.sightings.map(({ sighting }) => [sighting.storeId, sighting.listing]))
  const places = storeIds.map((storeId) => {
    const listing = listings.get(storeId ?? '')
    return storeId && listing ? { storeId, ...listing } : null
  })
  return {
    title: `${term} (${context.country})`,
    capturedAt: observedAt.toISOString(),
    storeIds,
    difficulty: difficultyOf(
      { term, country: context.country ?? 'us', places, requested: null, stated: null },
      null,
    ),
    first: places.slice(0, 5).map((place) => place?.name.slice(0, 18) ?? '?'),
  }
}

function lineOf(page: Page, before: Page | undefined): string {
  const { capturedAt, storeIds, difficulty, first } = page
  const [strength, titles, entry] = difficulty?.parts ?? []
  const [change] = before ? changedPlacesBetween([before, page].map(timed)) : []
  const columns: [unknown, number][] = [
    [storeIds.length, 5],
    [difficulty?.value, 10],
    [strength?.value, 7],
    [titles?.value, 6],
    [entry?.value, 5],
    [change && Math.round((100 * change.changed) / change.places), 7],
  ]
  const numbers = columns.map(([value, width]) => String(value ?? '–').padStart(width)).join('  ')
  return `${capturedAt.slice(0, 10)}   ${numbers}  ${first.join(', ')}`
}
