/** A page with results, as far as it tells how deep its term goes. */
export interface PageDepth {
  capturedAt: Date
  /** At least 1. */
  depth: number
  /** Places requested from Apple; null when unknown. */
  requested: number | null
}

export interface Verdict {
  /** Whether the page is evidence of what it does not show. */
  counts: boolean
  /** How deep the term is known to go once this page was seen. */
  knownDepth: number
}

/** A page falls far short when it has less than a quarter of what is known. */
export const shortShare = 4

/** Below ten known results, what the scores read, a few apps that come and go are a quarter. */
const fewestKnown = 10

/**
 * How far apart two short pages are that confirm each other. Apple throttles for minutes to hours, and who asks again
 * within these is told the same; half a day is beyond that, and within two daily captures whatever their hour.
 */
const confirmedAfterMs = 12 * 3_600_000

/**
 * Whether a page falls far short of the known depth. One with as many results as were requested says nothing of how many
 * there are.
 */
export const fallsShort = (page: Omit<PageDepth, 'capturedAt'>, knownDepth: number): boolean =>
  !isCut(page) && knownDepth >= fewestKnown && page.depth * shortShare < knownDepth

const isCut = ({ depth, requested }: Omit<PageDepth, 'capturedAt'>) => requested !== null && depth >= requested

/**
 * Judges pages of one term. One that falls far short of those before it is in doubt: a throttled or lying upstream answers
 * so. It counts once another such page, with no deeper one between them, is of half a day later or earlier and neither
 * falls far short of the other. A first page has nothing to fall short of.
 * @param pages with results, oldest first
 * @param known depth known before the first of them; null without an earlier page
 * @returns in the same order
 */
export function judgePages(pages: readonly PageDepth[], known: number | null): Verdict[] {
  const verdicts: Verdict[] = []
  let knownDepth = known ?? 0
  let inDoubt: number[] = []
  for (const [index, page] of pages.entries()) {
    const isShort = fallsShort(page, knownDepth)
    const confirmed = isShort ? inDoubt.filter((other) => agree(page, pages[other])) : []
    const first = pages[confirmed[0] ?? index]?.capturedAt ?? page.capturedAt
    if (isShort && page.capturedAt.getTime() - first.getTime() < confirmedAfterMs) {
      inDoubt.push(index)
      verdicts.push({ counts: false, knownDepth })
      continue
    }
    for (const other of confirmed) {
      const verdict = verdicts[other]
      if (verdict) verdict.counts = true
    }
    knownDepth = isCut(page) ? Math.max(knownDepth, page.depth) : page.depth
    inDoubt = []
    verdicts.push({ counts: true, knownDepth })
  }
  return verdicts
}

const agree = (one: PageDepth, other: PageDepth | undefined): boolean =>
  other !== undefined && !fallsShort(one, other.depth) && !fallsShort(other, one.depth)
