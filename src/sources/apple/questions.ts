import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { Question } from '../collected-payload.ts'

/** Requests to Apple, as they are stored with the answer. */
export const lookupQuestion = (country: string): Question => question('itunes-lookup', country)

/** @param requested number of places */
export const searchQuestion = (term: string, country: string, requested: number): Question =>
  question('itunes-search', country, { term, requested })

export const hintsQuestion = (term: string, country: string): Question =>
  question('search-hints', country, { term })

export const pageQuestion = (storeId: string, country: string): Question =>
  question('app-page', country, { storeId })

export const chartQuestion = ({ country, kind, categoryId, device }: ChartIdentity): Question =>
  question('chart-feed', country, { chart: { country, kind, categoryId, device } })

function question(format: Question['format'], country: string, more: Partial<ReadingContext> = {}): Question {
  return { format, country, context: { layout: 'document', country, ...more } }
}
