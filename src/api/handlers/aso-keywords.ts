import type { z } from 'zod'
import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import { type AsoKeyword, keywordsPerApp } from '../../contract/shapes/tracked-apps.ts'
import { type RankState, rankOnPage } from '../../domain/aso/pages/rank-days.ts'
import {
  addKeywords,
  removeKeyword,
  type TermOutcome,
  type TrackedKeyword,
  termAdvice,
} from '../../domain/aso/tracking/tracked-keywords.ts'
import type { Database } from '../../storage/database.ts'
import { longestTerm } from '../../text/keyword-term.ts'
import { withoutExcessMarks } from '../../text/normal-form.ts'
import { mainSurface, type SearchSurface, searchSurfaceRow } from '../../vocabulary/search-surfaces.ts'
import { Problem } from '../problem.ts'
import { trackedAppNotFound } from './aso-tracking.ts'

type C = typeof contract

export async function addAsoKeywords(
  db: Database,
  accountId: string,
  { appId, terms, tags, note }: Input<C['add_aso_keywords']>,
): Promise<Reply<C['add_aso_keywords']>> {
  const given = terms.map((term) => ({ term, tags, note }))
  const done = await addKeywords(db, accountId, appId, given, keywordsPerApp)
  if (!done) throw trackedAppNotFound(appId)
  const kept = (wanted: TermOutcome['outcome']) =>
    done.outcomes.flatMap((term) =>
      'keyword' in term && term.outcome === wanted
        ? [{ given: term.given, keyword: keywordShape(asRankedKeyword(term.keyword)) }]
        : [],
    )
  return {
    added: kept('added'),
    alreadyThere: kept('already-there'),
    refused: done.outcomes.flatMap((term) =>
      'keyword' in term
        ? []
        : [{ given: shortened(term.given), reason: term.outcome, message: advice[term.outcome] }],
    ),
    keywordCount: done.keywordCount,
  }
}

const advice = termAdvice(keywordsPerApp)

const shortened = (text: string) =>
  [...withoutExcessMarks(text.toWellFormed()).replaceAll(/\p{Cc}+/gu, ' ')].slice(0, longestTerm).join('')

/** A keyword with the app's rank on its newest page. */
const asRankedKeyword = (keyword: TrackedKeyword) => ({
  ...keyword,
  rank: rankOnPage(keyword.rank, keyword.pageDepth),
})

/** A keyword of a tracked app in the form of replies. @param surface of its page */
export function keywordShape(
  keyword: Pick<TrackedKeyword, 'keywordId' | 'term' | 'addedAt' | 'tags' | 'note' | 'pageAt'> & {
    rank: RankState
  },
  surface: SearchSurface = mainSurface,
): z.output<typeof AsoKeyword> {
  const { keywordId, term, addedAt, tags, note, pageAt, rank } = keyword
  return {
    keywordId,
    term,
    addedAt: addedAt.toISOString(),
    tags,
    note,
    rank,
    observedAt: pageAt?.toISOString() ?? null,
    surface: pageAt ? searchSurfaceRow(surface).label : null,
  }
}

export async function removeAsoKeyword(
  db: Database,
  accountId: string,
  { appId, keywordId }: Input<C['remove_aso_keyword']>,
): Promise<undefined> {
  const outcome = await removeKeyword(db, accountId, appId, keywordId)
  if (outcome === 'no-app') throw trackedAppNotFound(appId)
  if (outcome === 'no-keyword')
    throw new Problem('keyword-not-found', `The tracked app has no keyword with the id ${keywordId}.`)
}
