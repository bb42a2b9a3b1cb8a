import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkstationKeyword } from './shapes.ts'
import { keywordTagsOf, textsOfListing } from './tags.ts'

const unknown = { state: 'not-measured', reason: 'never-collected' } as const

const keyword = (term: string, known: Partial<WorkstationKeyword> = {}): WorkstationKeyword => ({
  keywordId: '019aa0b6-5c00-7000-8000-000000000001',
  term,
  addedAt: '2026-11-20T00:00:00.000Z',
  tags: [],
  note: null,
  rank: unknown,
  observedAt: null,
  surface: null,
  over1Day: unknown,
  over7Days: unknown,
  over30Days: unknown,
  best: unknown,
  series: [],
  otherTools: [],
  otherSurfaces: [],
  difficulty: unknown,
  opportunity: unknown,
  autocomplete: unknown,
  relevance: unknown,
  above: [],
  ...known,
})

test('words are looked for whole, in any order, and without case or accents of width', () => {
  const texts = textsOfListing('Tally: Budget Planner', 'Bills & Ｓａｖｉｎｇ', ['Planners United'])
  assert.deepEqual(keywordTagsOf(keyword('planner budget'), texts), ['name'])
  assert.deepEqual(keywordTagsOf(keyword('saving'), texts), ['subtitle'])
  assert.deepEqual(keywordTagsOf(keyword('plan'), texts), [])
})

test('scripts without spaces are found within a name', () => {
  const texts = textsOfListing('ちゃりん家計簿 - かんたん節約', null, [])
  assert.deepEqual(keywordTagsOf(keyword('家計簿'), texts), ['name'])
  assert.deepEqual(keywordTagsOf(keyword('家計簿 かんたん'), texts), ['name'])
})

test('a brand, a suggestion and a mover follow from the scores and the change', () => {
  const texts = textsOfListing(null, null, ['Ledger Bobbin'])
  const found = keywordTagsOf(
    keyword('ledger bobbin', {
      opportunity: { state: 'estimated', value: 3, formula: 'opportunity/5 (brand term)' },
      autocomplete: { state: 'estimated', value: 40, formula: 'autocomplete/2' },
      over7Days: { state: 'measured', places: -5, comparedOn: '2026-11-13' },
    }),
    texts,
  )
  assert.deepEqual(found, ['rival', 'brand', 'suggested', 'mover'])
  const still = keyword('x', { autocomplete: { state: 'estimated', value: 0, formula: 'autocomplete/2' } })
  assert.deepEqual(keywordTagsOf(still, texts), [])
})
