import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { contract } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'

/**
 * Every number says where it comes from: its object, or one around it, names an observation, or the formula or provider
 * that made it. The points of a series are each of a time of their own, so they inherit nothing.
 */
test('every number of a reply stands under what says where it comes from, or is no evidence', () => {
  const bare = new Set<string>()
  for (const { reply } of Object.values<Operation>(contract)) if (reply) walk(reply, noPlace, bare)
  const unknown = [...bare].filter((name) => !isException(name))
  assert.deepEqual(unknown.sort(), [])
  const idle = Object.keys(exceptions).filter((name) => ![...bare].some((one) => covers(name, one)))
  assert.deepEqual(idle, [], 'exceptions that nothing needs')
})

interface Place {
  /** The nearest shape with a name, and the path from it. */
  shape: string
  path: string
  reported: boolean
}
const noPlace: Place = { shape: '', path: '', reported: false }

function walk(schema: z.ZodType, { shape, path, reported }: Place, bare: Set<string>, isCase = false): void {
  const id = schema.meta()?.id
  // The cases of a union are named too, but it is what holds them that is asked about.
  const isNamed = id !== undefined && schema instanceof z.ZodObject && !isCase
  const here = { shape: isNamed ? id : shape, path: isNamed ? '' : path, reported }
  if (schema instanceof z.ZodNumber) {
    if (!reported) bare.add(`${replyOf[here.shape] ?? here.shape}${here.path}`)
  } else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    walk(schema.unwrap() as z.ZodType, here, bare)
  else if (schema instanceof z.ZodUnion)
    for (const option of schema.options) walk(option as z.ZodType, here, bare, true)
  else if (schema instanceof z.ZodArray) {
    const element = schema.element as z.ZodType
    walk(element, { ...here, reported: reported && !isPoint(element) }, bare)
  } else if (schema instanceof z.ZodObject) {
    const names = Object.keys(schema.shape)
    const tells = tellers.some((all) => all.every((name) => names.includes(name)))
    for (const [name, part] of Object.entries(schema.shape))
      walk(part as z.ZodType, { ...here, path: `${here.path}.${name}`, reported: reported || tells }, bare)
  }
}

/** Properties that say where the numbers beside and below them come from. */
const tellers = [
  ['evidence'],
  ['page'],
  ['source', 'observedAt'],
  ['surface', 'observedAt'],
  ['fromSource', 'toSource'],
  ['comparedOn', 'at'],
  ['formula'],
  ['provider'],
]

/** Whether an element of a list is of a day or an instant of its own. */
const isPoint = (element: z.ZodType) =>
  element instanceof z.ZodObject && ['date', 'observedAt'].some((name) => name in element.shape)

/** Replies of writes, by the shape that they are besides `asOf` and `trouble`. */
const replyOf: Record<string, string> = {
  AdAnalysisRequested: 'AdAnalysis',
  AdTranscriptRequested: 'AdTranscript',
  AppTracked: 'TrackedApp',
  AppWithRole: 'TrackedApp',
  AsoRefreshRequested: 'AsoRefresh',
  DiscoveryRequested: 'DiscoveryRun',
  EstimateRefreshRequested: 'WorkStatus',
  IntakeRequested: 'Intake',
  KeywordRefreshRequested: 'KeywordRefresh',
}

/** What is no observation, or is told of by something of another name. A name stands for all that begins with it. */
const exceptions: Record<string, string> = {
  ...Object.fromEntries(
    [
      'AdAnalysis',
      'AdImportRun',
      'AdTranscript',
      'AsoRefresh',
      'DiscoveryRun',
      'Intake',
      'KeywordRefresh',
      'WorkStatus',
    ].flatMap((work) => [
      [`${work}.attempts`, 'how work of this installation went'],
      [`${work}.progress`, 'how work of this installation went'],
    ]),
  ),
  'AdImportRun.counts': 'what this installation did with records',
  'AdImportRun.upstream': 'requests this installation made',
  'AdImportPreview.requestsUsed': 'requests this installation made',
  'AdImportPreview.requestsNeeded': 'requests this installation will make',
  'AdImportPreview.examined': 'what this installation would do with records',
  'AdImportPreview.matching': 'what the library said just now; `origin` names it',
  'AdvertiserLookup.found': 'what the library said just now; the lookup names it',
  'RecordRejection.position': 'a place among the records sent',
  'AdQuery.limit': 'what the caller asked for',
  'AsoWorkstation.moves': 'counts of moves, each of which names its two observations',
  'AsoWorkstation.window': 'what the caller asked for',
  'DiscoveryRun.windowDays': 'what the caller asked for',
  'DiscoveryRun.limit': 'what the caller asked for',
  'AsoRefresh.expectedSeconds': 'a plan, from the pace this installation keeps',
  'AsoRefresh.searches': 'a plan, from the pace this installation keeps',
  'AsoRefresh.searchesPerMinute': 'the pace this installation keeps',
  'AsoRefresh.skipped': 'a plan, from the pace this installation keeps',
  'KeywordRefresh.expectedSeconds': 'a plan, from the pace this installation keeps',
  'DiscoveryRun.examined': 'counts of stored apps',
  'DiscoveryRun.found': 'counts of stored apps',
  'DiscoveryRun.takenIn': 'counts of stored apps',
  'AdLinkDecision.storedAds': 'a count of stored ads',
  'CategoryNode.apps': 'a count of stored apps',
  'CompetitorOrganic.total': 'a count of items, each of which carries its evidence',
  'CompetitorSearchPage.total': 'a count of items, each of which carries its evidence',
  'OrganicPostPage.total': 'a count of items, each of which carries its evidence',
  'PaidAdPage.total': 'a count of items, each of which carries its evidence',
  OrganicSummary: 'sums over stored posts, each of which carries its evidence',
  'ChartHistory.coverage': 'counts of stored charts',
  EmergingOutcomesAfter: 'shares and counts over stored charts, of the days of its backtest',
  'DataRequest.demand': 'what this account asked for',
  'TrackedApp.keywordCount': 'what this account keeps',
  'TrackedAppSummary.keywordCount': 'what this account keeps',
  'KeywordsAdded.keywordCount': 'what this account keeps',
  EstimateTotal: 'sums over `points` of the same reply, each of which carries its evidence',
  EstimateModel: 'the model, whose `version` names formula and calibration, fitted to own sales of `chart`',
  'KeywordDay.rank':
    'of the surface and storefront that the `page` of its keyword names; ranks are kept by day',
  'NotListed.depth': 'of the page of `observedAt` on the `surface` of the reply',
  'ToolRankDay.rank': 'of the tool that stands beside the history, with the file of its last day',
  'KeywordGap.counts': 'counts of keywords, each of which names its page',
  'KeywordGap.pages': 'counts of stored pages, with the times of the oldest and the newest',
  RankDistribution: 'counts of keywords, each of which names its page',
  RankMovement: 'counts of keywords, each of which names its page',
  AppMoves: 'counts of moves, each of which names its two observations, and the window asked for',
  'AsoWorkstation.suggestedFrom': 'counts of stored listings that suggestions were compared with',
  'AsoWorkstation.visibility': 'counts of keywords, with the times of the oldest and the newest page',
  'TrackedAppSummary.visibility': 'counts of keywords, with the times of the oldest and the newest page',
  'TrackedAppSummary.over7Days': 'counts of keywords, each of which names its page',
  'VisibilityPoint.coverage': 'a share of keywords on one day; the value beside it names its formula',
  WorkstationRival: 'counts of keywords, each of which names its page',
}

const covers = (name: string, bare: string) => bare === name || bare.startsWith(`${name}.`)
const isException = (bare: string) => Object.keys(exceptions).some((name) => covers(name, bare))
