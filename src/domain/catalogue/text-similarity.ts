/** An app's terms. */
export interface TermSet {
  storeId: string
  terms: readonly string[]
}

/** Another app and how much of the telling words it shares. */
export interface TextNeighbour {
  storeId: string
  /** Cosine of the two texts, 0 to 1. */
  strength: number
  /** The shared terms that weigh most, heaviest first. */
  shared: string[]
}

/**
 * Cosine similarity of term sets with inverse document frequency, the standard measure of information retrieval
 * (Salton and Buckley 1988). The frequencies are those among the candidates, so words that all of them use weigh
 * nothing. Most similar first; candidates that share nothing telling are left out.
 */
export function textNeighbours(own: readonly string[], candidates: readonly TermSet[]): TextNeighbour[] {
  const documents = candidates.length + 1
  const frequency = new Map<string, number>()
  for (const terms of [own, ...candidates.map((candidate) => candidate.terms)]) {
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  const weight = (term: string) => Math.log(documents / (frequency.get(term) ?? documents))
  const length = (terms: readonly string[]) =>
    Math.sqrt(terms.reduce((sum, term) => sum + weight(term) ** 2, 0))
  const ownTerms = new Set(own)
  const ownLength = length(own)
  return candidates
    .map(({ storeId, terms }) => {
      const shared = terms.filter((term) => ownTerms.has(term))
      const product = shared.reduce((sum, term) => sum + weight(term) ** 2, 0)
      const norm = ownLength * length(terms)
      const heaviest = shared.toSorted((one, other) => weight(other) - weight(one) || (one < other ? -1 : 1))
      return { storeId, strength: norm === 0 ? 0 : product / norm, shared: heaviest.slice(0, 5) }
    })
    .filter((neighbour) => neighbour.strength > 0.05)
    .sort((one, other) => other.strength - one.strength || (one.storeId < other.storeId ? -1 : 1))
}
