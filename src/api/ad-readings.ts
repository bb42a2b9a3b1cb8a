import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { AdReading } from '../contract/shapes/ad-analysis.ts'
import type { PaidAd } from '../contract/shapes/paid-ads.ts'
import { readTextsLocally } from '../domain/ad-analysis/analyse.ts'
import { type AnalysisReading, localAnalyser } from '../domain/ad-analysis/analysis.ts'
import { storedReadings } from '../domain/ad-analysis/queries.ts'
import type { Database } from '../storage/database.ts'

type Ad = z.output<typeof PaidAd>
type Reading = z.output<typeof AdReading>

/** Texts read for a list: a long ad takes milliseconds, and a page has a hundred. */
const [mostCreatives, mostCharacters] = [3, 1_000]
const mostPromises = 5

/** Ads with their hook and promises: of the newest analysis, else read here. One statement. */
export async function withReadings(db: Database, ads: readonly Ad[]): Promise<Ad[]> {
  const stored = await storedReadings(db, ads)
  const read: Ad[] = []
  for (const ad of ads) {
    const known = stored.find(
      ({ platform, archiveId }) => platform === ad.platform && archiveId === ad.archiveId,
    )
    read.push({
      ...ad,
      reading: known
        ? { ...shortOf(known.reading), readBy: known.readingBy, analysedAt: known.madeAt.toISOString() }
        : { ...shortOf(await readHere(ad)), readBy: localAnalyser, analysedAt: null },
    })
  }
  return read
}

async function readHere({ creatives }: Ad): Promise<AnalysisReading> {
  // Others are served between two ads.
  await setImmediate()
  const begun = (fact: Ad['creatives'][number]['body']) =>
    fact.state === 'measured' ? fact.value.slice(0, mostCharacters).toWellFormed() : null
  const current = creatives.filter((creative) => creative.current).slice(0, mostCreatives)
  return readTextsLocally({
    creatives: current.map(({ title, body, description }) => ({
      title: begun(title),
      body: begun(body),
      description: begun(description),
    })),
  })
}

/** The words of the ad in a reading. "Absent" needs both claims and offer to be. */
function shortOf({ hook, claims, offer }: Pick<AnalysisReading, 'hook' | 'claims' | 'offer'>) {
  const promised = [
    ...(claims.state === 'read' ? claims.items.flatMap(({ quotes }) => quotes) : []),
    ...(offer.state === 'read' ? offer.quotes : []),
  ]
  const words = [...new Set(promised.map(({ text }) => text))].slice(0, mostPromises)
  const nothing = [claims, offer].find(({ state }) => state === 'not-measured') ?? claims
  return {
    hook: hook.state === 'read' ? { state: 'read', value: hook.quotes[0]?.text ?? hook.statement } : hook,
    promises: words.length > 0 ? { state: 'read', value: words } : nothing,
  } as Pick<Reading, 'hook' | 'promises'>
}
