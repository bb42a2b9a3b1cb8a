import { sql } from 'kysely'
import { autocompleteFormula } from '../../src/domain/aso/scores/autocomplete.ts'
import { opportunityFor, opportunityFormula, opportunityOf } from '../../src/domain/aso/scores/difficulty.ts'
import { relevanceTo } from '../../src/domain/aso/scores/relevance.ts'
import { recordOfApp } from '../../src/domain/catalogue/record-queries.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { fewestDays, mostDays, pageSpans } from '../page-spans.ts'
import { pairOrderOutcome } from '../statistics.ts'

const [fewestKeywords, fewestApps] = [30, 3]

/** Do own apps come further with terms of much opportunity? */
export const opportunityBacktest: Backtest = {
  model: 'opportunity',
  formula: opportunityFormula,
  measure:
    'share of pairs of keywords of an own app in which the one that months later has it among the first ten, where it was not, had more opportunity than one that has not',
  better: 'higher',
  unit: '%',
  baseline: 'keywords in an order of chance',
  goal: null,
  data: `keywords of tracked own apps with two stored pages ${fewestDays} to ${mostDays} days apart, their difficulty then, the suggestions and the texts of the app of today; nothing is fitted, all are for checking`,
  run,
}

async function run(context: BacktestContext): Promise<BacktestOutcome> {
  const spans = new Map((await pageSpans(context)).map((span) => [span.termId, span]))
  const keywords = await ownKeywords(context.db)
  const relevanceOf = new Map<string, (term: string) => number>()
  for (const { storeId, country } of keywords) {
    const key = `${storeId} ${country}`
    const record = relevanceOf.has(key) ? undefined : await recordOfApp(context.db, storeId, country)
    if (record) relevanceOf.set(key, relevanceTo(record.facts))
  }
  const tried = keywords.flatMap(({ termId, storeId, autocomplete }) => {
    const span = spans.get(termId)
    if (!span || span.early.includes(storeId)) return []
    const { term, country, late, difficulty } = span
    const worth = opportunityOf(autocomplete, difficulty.value, difficulty.brand !== null)
    const relevance = relevanceOf.get(`${storeId} ${country}`)
    const score = relevance ? opportunityFor(worth, relevance(term)) : worth
    return [{ storeId, term, score, came: late.includes(storeId) }]
  })
  const pairs = tried.flatMap((one) =>
    tried
      .filter((other) => one.came && !other.came && one.storeId === other.storeId)
      .map((other) => ({
        score: [one.score, other.score] as const,
        baseline: [0, 0] as const,
        group: one.storeId,
        says: `app ${one.storeId}: ${one.term} (came), ${other.term} (did not)`,
      })),
  )
  const apps = new Set(pairs.map(({ group }) => group)).size
  if (tried.length < fewestKeywords || apps < fewestApps)
    return {
      state: 'not-validated',
      why: `Keywords of own apps with scores and two pages ${fewestDays} to ${mostDays} days apart, the app not among the first ten of the older one: ${tried.length}, of ${apps} apps that came there with some and not with others. ${fewestKeywords} of ${fewestApps} apps are needed.`,
    }
  return pairOrderOutcome(pairs, 0)
}

/** Each app's keyword once, whoever tracks it. */
function ownKeywords(db: Database) {
  return rows(
    db,
    sql<{ termId: number; storeId: string; country: string; autocomplete: number }>`
      select distinct t.term_id as "termId", a.store_id::text as "storeId", a.country, t.autocomplete
      from tracked_apps a join tracked_keywords k using (app_id) join terms t on t.term_id = k.term_id
      where a.role = 'own' and t.autocomplete is not null and t.autocomplete_formula = ${autocompleteFormula}
      order by 2, 1`,
  )
}
