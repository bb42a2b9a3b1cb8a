/** A page with results, as evidence of how many results its term has. */
export interface PageDepth {
  capturedAt: Date
  /** At least 1. */
  depth: number
  /** Places requested from Apple; null when unknown. */
  requested: number | null
}

export interface PageVerdict {
  /** Whether the page is evidence of what it does not show. */
  counts: boolean
  /** The number of results the term is known to have, including this page. */
  knownDepth: number
}

/** A page falls far short when it has less than a quarter of what is known. */
export const shortPageDivisor = 4

/** Minimum known results: of fewer than the ten that scores use, a few apps that come and go are a quarter. */
const fewestKnown = 10

/**
 * How far apart two short pages are that confirm each other. Apple throttles for minutes to hours, and repeated requests
 * within that time get the same answer; half a day is longer, and within two daily captures whatever their hour.
 */
const confirmedAfterMs = 12 * 3_600_000

/**
 * Whether a page falls far short of the known depth. One with as many results as were requested does not show how many there
 * are.
 */
export const isShortPage = (page: Omit<PageDepth, 'capturedAt'>, knownDepth: number): boolean =>
  !isCut(page) && knownDepth >= fewestKnown && page.depth * shortPageDivisor < knownDepth

const isCut = ({ depth, requested }: Omit<PageDepth, 'capturedAt'>) => requested !== null && depth >= requested

/**
 * Judges pages of one term. One that falls far short of those before it is in doubt: a throttling or faulty upstream gives
 * such answers. It counts once another such page, with no deeper one between them, is of half a day later or earlier and
 * neither falls far short of the other. A first page has nothing to fall short of.
 * @param pages with results, oldest first
 * @param known depth known before the first of them; null without an earlier page
 * @returns in the same order
 */
export function judgePages(pages: readonly PageDepth[], known: number | null): PageVerdict[] {
  const verdicts: PageVerdict[] = []
  let knownDepth = known ?? 0
  let inDoubt: number[] = []
  for (const [index, page] of pages.entries()) {
    const isShort = isShortPage(page, knownDepth)
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
  other !== undefined && !isShortPage(one, other.depth) && !isShortPage(other, one.depth)
