import type { Rank, Score100 } from '../../../evidence/shapes.ts'
import type { GapKeyword } from './gap.ts'
import type { GapPoint } from './gap-layout.ts'

/** A keyword that has a place in the picture. */
export interface DrawnKeyword extends GapPoint {
  keyword: GapKeyword
}

/** The keyword as a point of the picture; none where nobody ranks or nobody looked, which the table alone says. */
export function drawnKeywordsOf(keyword: GapKeyword): DrawnKeyword[] {
  const { term, own, rival, opportunity, standing } = keyword
  if (standing === 'neither' || standing === 'not-measured') return []
  return [{ keyword, term, own: rankOf(own), rival: rankOf(rival), opportunity: scoreOf(opportunity) }]
}

const rankOf = (rank: Rank): number | null => (rank.state === 'measured' ? rank.value : null)
const scoreOf = (score: Score100): number | null => (score.state === 'estimated' ? score.value : null)
