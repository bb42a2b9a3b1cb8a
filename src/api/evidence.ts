import type { z } from 'zod'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { SourceTrouble } from '../contract/shapes/source-issues.ts'
import { openIssuesIn, openSourceIssues, type SourceIssue } from '../domain/collecting/health.ts'
import type { NamedReading, ProvidedBy } from '../domain/evidence/reading.ts'
import type { Database } from '../storage/database.ts'
import { countWithNoun } from '../text/numbers.ts'
import { type SourceName, surfaces } from '../vocabulary/provenance.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'

export type EvidenceShape = z.output<typeof Evidence>

/** A reading in the form of replies. @param accountId who sees the reply */
export function evidenceOf(
  { readingId, source, origin, timeBasis, broughtBy }: NamedReading,
  observedAt: Date | string,
  country: string | null,
  accountId?: string,
): EvidenceShape {
  return {
    source,
    origin,
    surface: surfaces[source],
    country: country as StorefrontCode | null,
    observedAt: typeof observedAt === 'string' ? observedAt : observedAt.toISOString(),
    timeBasis,
    readingId,
    ...(broughtBy ? { broughtBy: providedByShape(broughtBy, accountId) } : {}),
  }
}

/** A list of evidence in the form of replies; facts refer to it by index. */
export const evidenceShapes = (
  evidence: readonly (NamedReading & { observedAt: Date | string })[],
  country: string | null,
  accountId?: string,
): EvidenceShape[] => evidence.map((entry) => evidenceOf(entry, entry.observedAt, country, accountId))

/** The origin of user-provided evidence, as an account sees it: names of other accounts are hidden. */
export const providedByShape = (broughtBy: ProvidedBy, accountId: string | undefined) => ({
  account: broughtBy.accountId === accountId ? ('own' as const) : ('other' as const),
  door: broughtBy.door,
})

/** Sources of chart data. */
export const chartSources = ['apple-rss-legacy', 'apple-rss-v2'] as const satisfies SourceName[]
/** Sources of ranks and scores of terms. */
export const termSources = [
  'itunes-search',
  'app-store-search',
  'apple-search-hints',
] as const satisfies SourceName[]
export const recordSources = [
  'itunes-lookup',
  'itunes-search',
  'app-store-page',
] as const satisfies SourceName[]

/** What a source that does not answer means for a reply with evidence. */
const shownBefore = 'What is shown was stored before.'

/** The present issues of the sources that requested work will ask. */
export const issuesOfWork = (db: Database, sources: readonly SourceName[], country: string) =>
  sourceIssues(db, sources, country, [], 'What was asked for waits for it.')

/**
 * The present issues of the sources behind a reply.
 * @param subjects whose suspect answers matter to it; one that ends with a space is a prefix
 */
export async function sourceIssues(
  db: Database,
  sources: readonly SourceName[],
  country: string,
  subjects: readonly string[] = [],
  meaning = shownBefore,
): Promise<z.output<typeof SourceTrouble>[]> {
  return (await openSourceIssues(db, sources, country, subjects)).map((trouble) => ({
    source: trouble.source,
    surface: surfaces[trouble.source],
    country: country as StorefrontCode,
    kind: trouble.kind === 'suspect-short' ? 'suspect-empty' : trouble.kind,
    since: trouble.since.toISOString(),
    text: inWords(trouble, [country], meaning),
  }))
}

/** What is not well of any source in these storefronts, storefronts of one source together. */
export async function issuesOfStorefronts(
  db: Database,
  countries: readonly string[],
): Promise<z.output<typeof SourceTrouble>[]> {
  return (await openIssuesIn(db, [...new Set(countries)])).map(
    ({ source, countries: where, kind, since, detail }) => ({
      source,
      surface: surfaces[source],
      country: where.length === 1 ? (where[0] as StorefrontCode) : null,
      kind,
      since: since.toISOString(),
      text: inWords(
        {
          source,
          kind,
          since,
          detail: kind === 'suspect-empty' ? countWithNoun(Number(detail), 'subject') : detail,
        },
        where,
        shownBefore,
      ),
    }),
  )
}

function inWords(
  { source, kind, since, detail }: Omit<SourceIssue, 'country'>,
  countries: readonly string[],
  meaning: string,
): string {
  const who = countries.length === 0 ? surfaces[source] : `${surfaces[source]} (${someOf(countries)})`
  const when = `since ${minute(since)}`
  if (kind === 'suspect-empty')
    return `${who} answers ${when} with nothing for ${detail}, which had something before: that is not shown as absence.`
  if (kind === 'suspect-short')
    return `${who} answers ${when} with far fewer results than before for ${detail}: ranks and scores rest on the page before, until another answer half a day later confirms it.`
  return `${who} is ${kind === 'throttled' ? 'throttling us' : 'failing'} ${when}: ${cut(detail)}. ${meaning}`
}

/** A time in a sentence. */
export const minute = (at: Date) => `${at.toISOString().slice(0, 16)}Z`

const longestError = 200
/** An error in a sentence. */
export const cut = (text: string) =>
  text.length <= longestError ? text : `${text.slice(0, longestError - 1).toWellFormed()}…`

/** Names in a sentence, of which some are counted. */
export function someOf(names: readonly string[], most = 5): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ')
}
